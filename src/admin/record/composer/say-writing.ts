import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { ask } from '../../session/session.ts'
import { keys } from '../keys.ts'

const everyMs = (limits.writingSeconds / 2) * 1_000

/**
 * Call it at each keystroke of an answer. It tells colleagues that this person writes, and reads again who
 * else does, so that the second of two sees the first before sending.
 */
export const useSayWriting = (kind: KindPath, id: string): (() => void) => {
  const client = useQueryClient()
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  return () => {
    const now = performance.now()
    if (now - saidAt.current < everyMs) return
    saidAt.current = now
    // A notice to colleagues is worth no second try.
    void ask(anyKind[kind].writing, { params: { id } })
      .then(() => client.invalidateQueries({ queryKey: keys.detail(kind, id) }))
      .catch(() => undefined)
  }
}
