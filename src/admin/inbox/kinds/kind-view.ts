import type { KindPath } from '#contract/inbox.ts'
import type { Stage } from '../../components/icon.tsx'
import type { InboxRecord } from '../api/record.ts'

export interface StatusView {
  value: string
  label: string
  stage: Stage
  /** The button that sets it; a status without one is only come back to by undo. */
  action?: string
}

export interface Fact {
  term: string
  value: string | null
  /** How it is drawn; plain text when left out. */
  as?: 'email' | 'phone' | 'link' | 'file' | 'day' | 'moment' | 'instant'
}

/** One kind of submission, described to the inbox: what to call things, what to show, what to offer. */
export interface KindView<R extends InboxRecord = InboxRecord> {
  kind: KindPath
  title: string
  noun: string
  nouns: string
  /** In the order that work moves. */
  statuses: readonly StatusView[]
  /** Above the list; `status` is the tab's label, null under All. */
  heading: (matching: number, status: string | null) => string
  texts: {
    empty: string
    nothingSelected: string
    loadFailed: string
    changeFailed: string
    removeFailed: string
    removeQuestion: string
    search: string
  }
  /** The names of the fields that say who set the status, and when. */
  stamp: { by: string; at: string }
  /** The second line of a row, and below the name in the detail. */
  line: (record: R) => string
  facts: (record: R) => Fact[]
  /** The long text, with its heading where it has one. */
  body: (record: R) => { heading?: string; text: string }
  mail: { label: string; subject: (record: R) => string }
  /** Whether a first answer is promised within 24 hours. */
  promised: boolean
}

/** Fits a description of one kind to the inbox, which only ever hands it records of that kind. */
export const kindView = <R extends InboxRecord>(view: KindView<R>): KindView =>
  view as unknown as KindView

export const statusOf = (view: KindView, value: string): StatusView =>
  view.statuses.find((status) => status.value === value) ?? {
    value,
    label: value,
    stage: 'waiting',
  }

/** The status after this one in the order of work; null at the last. */
export const nextStatus = (view: KindView, value: string): StatusView | null => {
  const at = view.statuses.findIndex((status) => status.value === value)
  return view.statuses[at + 1] ?? null
}

/** Who set the status and when, for statuses that somebody set. */
export const stampOf = (view: KindView, record: InboxRecord): { by: string; at: string } | null => {
  const fields = record as unknown as Record<string, unknown>
  const by = fields[view.stamp.by]
  const at = fields[view.stamp.at]
  return typeof by === 'string' && typeof at === 'string' ? { by, at } : null
}
