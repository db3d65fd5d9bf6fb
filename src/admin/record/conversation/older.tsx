import { useState } from 'react'
import type { ActivityEntry, KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { ask } from '../../session/session.ts'
import { blind } from '../blind.ts'
import type { RecordDetail } from '../record.ts'
import type { EntryProps } from './message.tsx'
import { MessageText } from './message-text.tsx'

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

/** A text that was cut, with a button that loads the rest where there is one. */
export function CutText({ view, record, entry }: Omit<EntryProps, 'mayWrite'>) {
  const { _id, text = '', cut } = entry
  const [whole, setWhole] = useState<string>()
  const [problem, setProblem] = useState('')
  if (!cut || whole !== undefined) return <MessageText text={whole ?? text} />
  const hasMore = [...text].length >= limits.activity.text
  const load = async () => {
    try {
      const { data } = await ask(anyKind[view.kind].entry, {
        params: { id: record._id, entry: _id },
        query: blind,
      })
      setWhole(data.text ?? text)
    } catch {
      setProblem('It could not be loaded. Try again.')
    }
  }
  return (
    <>
      <MessageText text={text} />
      {hasMore ? (
        <button type="button" className="btn line" onClick={load}>
          Show the whole text
        </button>
      ) : (
        <p>Cut as it came: too much mail came that day.</p>
      )}
      <p role="status">{problem}</p>
    </>
  )
}
