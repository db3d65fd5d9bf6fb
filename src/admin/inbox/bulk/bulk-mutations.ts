import { limits } from '#contract/limits.ts'
import { queryClient } from '../../shell/query-client.ts'
import { changeMany, listRecords } from '../api/endpoints.ts'
import type { Filter, InboxRecord } from '../api/record.ts'
import { type Change, make, recordDone, say } from '../changes.ts'
import { type KindView, statusOf } from '../kinds/kind-view.ts'
import { withStatus } from '../mutations.ts'
import { refreshLists } from '../queries.ts'

/** What can be done to many at once. */
export type BulkAct =
  | { action: 'status'; value: string }
  | { action: 'assign'; value: string | null }
  | { action: 'spam'; value: boolean }
  | { action: 'delete' }
  | { action: 'restore' }

const afterAct = (view: KindView, record: InboxRecord, act: BulkAct, by: string): InboxRecord => {
  switch (act.action) {
    case 'status':
      return record.status === act.value ? record : withStatus(view, record, act.value, by)
    case 'assign':
      return { ...record, assignee: act.value }
    case 'spam':
      return { ...record, box: act.value ? 'spam' : 'inbox', spam: act.value ? ['staff'] : null }
    case 'delete':
      return { ...record, box: 'trash' }
    case 'restore':
      return { ...record, box: record.spam ? 'spam' : 'inbox' }
  }
}

/** `3 consultations`, `1 consultation`. */
export const countOf = (view: KindView, count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? view.noun : view.nouns}`

const sayAct = (view: KindView, act: BulkAct, count: number): string => {
  const many = countOf(view, count)
  const are = count === 1 ? 'is' : 'are'
  switch (act.action) {
    case 'status':
      return `${many} ${are} now ${statusOf(view, act.value).label}`
    case 'assign':
      return `${many} ${are} assigned to ${act.value ?? 'nobody'}`
    case 'spam':
      return act.value ? `${many} ${are} in spam` : `${many} ${are} back in the inbox`
    case 'delete':
      return `${many} ${are} in the trash`
    case 'restore':
      return `${many} ${are} out of the trash`
  }
}

export const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

export const changeAll = (
  view: KindView,
  records: readonly InboxRecord[],
  act: BulkAct,
  by: string,
): void => {
  const waiting = inChunks(
    records.map((record) => record._id),
    limits.bulk,
  )
  const events: string[] = []
  const changed: string[] = []
  make({
    kind: view.kind,
    pairs: records.map((before) => ({ before, after: afterAct(view, before, act, by) })),
    text: sayAct(view, act, records.length),
    failure: act.action === 'delete' ? view.texts.removeFailed : view.texts.changeFailed,
    run: async () => {
      for (let ids = waiting[0]; ids; ids = waiting[0]) {
        const { data, meta } = await changeMany(view.kind, { ids, ...act })
        changed.push(...data.changed)
        if (meta.event) events.push(meta.event)
        waiting.shift()
      }
      return { events, changed }
    },
  })
}

/** How far a change of everything is, and its way out. */
export interface Progress {
  /** Ends it after the records that are on their way; what is done stays, and can be undone. */
  stop: AbortSignal
  onDone: (count: number) => void
  onEnd: () => void
}

/**
 * Changes all that a filter selects, a page at a time. Where the server goes away it waits like any
 * other change and goes on from where it was.
 */
export const changeMatching = (
  view: KindView,
  filter: Filter,
  act: BulkAct,
  matching: number,
  { stop, onDone, onEnd }: Progress,
): Change => {
  const events: string[] = []
  let changed = 0
  let done = 0
  // Undefined at the start, null after the last page. It stays valid while records before it leave.
  let cursor: string | null | undefined
  const change = make({
    kind: view.kind,
    pairs: [],
    text: `All ${countOf(view, matching)} that match`,
    failure: act.action === 'delete' ? view.texts.removeFailed : view.texts.changeFailed,
    undoable: false,
    quiet: true,
    run: async () => {
      while (cursor !== null && !stop.aborted) {
        const page = await listRecords(view.kind, { ...filter, limit: limits.bulk, cursor })
        const ids = page.data.map((record) => record._id)
        if (ids.length === 0) break
        const { data, meta } = await changeMany(view.kind, { ids, ...act })
        if (meta.event) events.push(meta.event)
        changed += data.changed.length
        done += ids.length
        cursor = page.meta.nextCursor
        say(change, `${done.toLocaleString('en')} of ${countOf(view, matching)} changed so far`)
        onDone(done)
      }
      return { events }
    },
    onEnd: () => {
      void refreshLists(queryClient, view.kind)
      onEnd()
      if (changed > 0) recordDone(view.kind, events, `${countOf(view, changed)} changed`)
    },
  })
  return change
}
