import { type QueryKey, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { newKey } from '#client/idempotency-key.ts'
import { queryClient } from '../session/query-client.ts'

/**
 * The `Idempotency-Key` of a form: the same for the same content, so that pressing again after a lost
 * answer gets that answer and stores nothing twice. `forgetKey` is for after it was stored.
 */
export const useKeyFor = (): { keyFor: (content: unknown) => string; forgetKey: () => void } => {
  const last = useRef({ content: '', key: '' })
  return {
    keyFor: (value) => {
      const content = JSON.stringify(value)
      if (last.current.content !== content) last.current = { content, key: newKey() }
      return last.current.key
    },
    forgetKey: () => {
      last.current = { content: '', key: '' }
    },
  }
}

/** A call under a key for its content, after which what the query key names is read again. */
export const useKeyedMutation = <Variables>(
  queryKey: QueryKey,
  send: (variables: Variables, options: { idempotencyKey: string }) => Promise<unknown>,
) => {
  const { keyFor, forgetKey } = useKeyFor()
  return useMutation({
    mutationFn: async (variables: Variables) => {
      await send(variables, { idempotencyKey: keyFor(variables) })
      forgetKey()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}
