import { useEffect } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { keys } from './keys.ts'
import type { RecordDetail } from './record.ts'
import { showRead } from './unread.ts'

const readingMs = 2_000

/**
 * Marks a record as read: in the lists at once; on the server, whose sender is told that staff have read
 * it, once it was open and visible for two seconds.
 */
export const useMarkSeen = (kind: KindPath, id: string, isUnseen: boolean): void => {
  useEffect(() => {
    if (!isUnseen) return
    showRead(kind, id)
    const mark = async () => {
      const { data } = await ask(anyKind[kind].seen, { params: { id } })
      queryClient.setQueryData<RecordDetail>(
        keys.detail(kind, id),
        (detail) => detail && { ...detail, ...data, unread: false },
      )
      // A list that was read meanwhile has it unread.
      showRead(kind, id)
      await queryClient.invalidateQueries({ queryKey: keys.unread })
    }
    let timer = 0
    const start = () => {
      clearTimeout(timer)
      // A failure is said the next time that the record is open.
      if (document.visibilityState === 'visible')
        timer = window.setTimeout(() => void mark().catch(() => undefined), readingMs)
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', start)
    }
  }, [kind, id, isUnseen])
}
