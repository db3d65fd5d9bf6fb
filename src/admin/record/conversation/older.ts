import { useState } from 'react'
import type { ActivityEntry, KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { ask } from '../../session/session.ts'
import { blind } from '../blind.ts'
import type { RecordDetail } from '../record.ts'

interface Older {
  entries: ActivityEntry[]
  /** Undefined before anything was loaded. */
  cursor: string | null | undefined
}

const readPage = async (kind: KindPath, id: string, cursor: string | undefined) => {
  const { data, meta } = await ask(anyKind[kind].activity, {
    params: { id },
    query: { ...blind, cursor },
  })
  return { entries: data, cursor: meta.activity.cursor }
}

/** Entries that came before those of the record, a page at a time. */
export const useOlder = (kind: KindPath, record: RecordDetail) => {
  const [{ entries, cursor }, setOlder] = useState<Older>({ entries: [], cursor: undefined })
  const [hasFailed, setFailed] = useState(false)
  const known = new Set(record.activity.map(({ _id }) => _id))
  const load = async () => {
    setFailed(false)
    try {
      const newest = cursor === undefined ? await readPage(kind, record._id, undefined) : undefined
      const from = newest ? newest.cursor : cursor
      const page = from ? await readPage(kind, record._id, from) : { entries: [], cursor: null }
      setOlder((last) => ({
        entries: [...page.entries, ...(newest?.entries ?? []), ...last.entries],
        cursor: page.cursor,
      }))
    } catch {
      setFailed(true)
    }
  }
  return {
    entries: entries.filter(({ _id }) => !known.has(_id)),
    hasMore:
      cursor === undefined ? record.activity.length >= limits.activity.page : cursor !== null,
    hasFailed,
    load,
  }
}
