import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActivityEntry, KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { ask } from '../../session/session.ts'
import { blind } from '../blind.ts'
import type { RecordDetail } from '../record.ts'

interface Older {
  entries: readonly ActivityEntry[]
  /** Leads to those before them; null if there are none. */
  cursor: string | null
}

/** Entries that came before those of the record, a page at a time. */
export const useOlder = (kind: KindPath, record: RecordDetail) => {
  const [{ entries, cursor }, setOlder] = useState<Older>({ entries: [], cursor: null })
  const { activity, older } = record
  const known = new Set(activity.map(({ _id }) => _id))
  // Entries that newer ones push out of the record stay shown as long as none is missing between both.
  if (older !== undefined && activity.length > 0 && !entries.some(({ _id }) => known.has(_id)))
    setOlder({ entries: activity, cursor: older })
  const { mutate: load, isError: hasFailed } = useMutation({
    mutationFn: (from: string) =>
      ask(anyKind[kind].activity, {
        params: { id: record._id },
        query: { ...blind, cursor: from },
      }),
    onSuccess: ({ data, meta }, from) =>
      setOlder((last) =>
        last.cursor === from
          ? { entries: [...data, ...last.entries], cursor: meta.activity.cursor }
          : last,
      ),
  })
  return {
    entries: entries.filter(({ _id }) => !known.has(_id)),
    load: cursor === null ? null : () => load(cursor),
    hasFailed,
  }
}
