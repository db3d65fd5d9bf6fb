import { type KindPath, type Status, type Step, withoutHalves } from '#contract/inbox.ts'
import type { AnyKind } from '#contract/kinds.ts'
import type { PlaceholderValues } from '#contract/mail/placeholders.ts'
import type { InboxRecord, RecordDetail } from '../record.ts'

export interface StatusView extends Step {
  value: string
  /** The button that sets it; null for a status that only undo goes back to. */
  action: string | null
}

export interface Fact {
  term: string
  value: string | null
  /** The format; plain text by default. */
  as?: 'email' | 'phone' | 'link' | 'file' | 'day' | 'moment' | 'instant'
}

/** The parts of a kind's contract that a view needs. */
type KindContract = Pick<AnyKind, 'path' | 'steps' | 'promisedIn'> & { who: string; at: string }

/**
 * The inbox's description of a kind: words, facts and actions. Functions are methods, so that the
 * view of one kind also is one of any kind: the inbox gives each view records of its own kind only.
 */
interface ViewDescription<R extends InboxRecord, S extends string> {
  title: string
  noun: string
  nouns: string
  /** Follows their number on the dashboard. */
  counted: string
  /** The address of the public form. */
  form: string
  /** The button that sets each status; null for one that only undo goes back to. */
  actions: Readonly<Record<S, string | null>>
  /** Above the list; `status` is the tab's label, null under All. */
  heading: (matching: number, status: string | null) => string
  /** In the place of the detail. */
  nothingSelected: string
  /** Shown below the name in the detail and on the dashboard. */
  line(record: R): string
  /** The subject in one word; null if there is nothing to tell apart. */
  tag(record: R): string | null
  /** Statuses that many get with a message, each with what that is called. */
  outcomes: Readonly<Partial<Record<S, string>>>
  /** The field of the content's choices that a list can be filtered by, and the label of each; null without one. */
  topics: {
    field: 'position' | 'service'
    label: string
    labels: Readonly<Record<string, string>>
  } | null
  facts(record: R): Fact[]
  /** The long text, with its heading where it has one. */
  body(record: R): { heading?: string; text: string }
  /** `label` opens the composer, or a draft with the subject where the role may not write here. */
  mail: { label: string; subject(record: R): string }
  /** Placeholders beside the name; those left out are empty. */
  placeholders(record: R): Partial<Pick<PlaceholderValues, 'service' | 'position'>>
}

export interface KindView
  extends Omit<ViewDescription<InboxRecord, string>, 'actions' | 'outcomes'> {
  outcomes: readonly { status: string; label: string }[]
  texts: Texts
  kind: KindPath
  /** In the order that work moves. */
  statuses: readonly StatusView[]
  /** The status in which a first answer is due within 24 hours; null without a promise. */
  promisedIn: string | null
  /** The names of the fields that say who set the status, and when. */
  stamp: { by: string; at: string }
}

/** An open record, with the view of its kind. */
export interface OpenRecord {
  view: KindView
  record: RecordDetail
}

type Texts = ReturnType<typeof textsOf>

/** Texts that every kind shares. */
const textsOf = ({ noun, nouns }: { noun: string; nouns: string }) => ({
  empty: `No ${nouns} found`,
  loadFailed: `Failed to load ${nouns}. Please try again.`,
  changeFailed: 'Failed to update status. Please try again.',
  removeFailed: `Failed to delete ${noun}. Please try again.`,
  removeQuestion: `Are you sure you want to delete this ${noun}?`,
  search: `Search ${nouns}`,
})

export const kindView = <R extends InboxRecord, K extends KindContract>(
  { path, steps, promisedIn, who, at }: K,
  { actions, outcomes, ...description }: ViewDescription<R, Status<K>>,
): KindView => {
  const withMessage: Readonly<Record<string, string | undefined>> = outcomes
  const labels: Readonly<Record<string, string | null>> = actions
  return {
    ...description,
    texts: textsOf(description),
    kind: path,
    outcomes: Object.entries(withMessage).flatMap(([status, label]) =>
      label === undefined ? [] : [{ status, label }],
    ),
    statuses: Object.entries<Step>(steps).map(([value, step]) => ({
      ...step,
      value,
      action: labels[value] ?? null,
    })),
    promisedIn,
    stamp: { by: who, at },
  }
}

/** The beginning of a text, in one line. */
export const excerpt = (text: string): string =>
  withoutHalves(text.slice(0, 400).replace(/\s+/g, ' ').slice(0, 160))

/** The beginning of what its sender wrote, in one line. */
export const excerptOf = (view: KindView, record: InboxRecord): string =>
  excerpt(view.body(record).text)

/** The line below the name where the message is shown, too: null where it would repeat that. */
export const lineBeside = (view: KindView, record: InboxRecord): string | null => {
  const line = view.line(record)
  return line === excerptOf(view, record) ? null : line
}

/** The view of a status; an unknown one is named by its value. */
export const statusView = (view: KindView, value: string): StatusView =>
  view.statuses.find((status) => status.value === value) ?? {
    value,
    label: value,
    stage: 'waiting',
    action: null,
  }

/** The next status on the way to a yes; null from there on: no single key rejects. */
export const nextStatus = (view: KindView, value: string): StatusView | null => {
  const at = view.statuses.findIndex((status) => status.value === value)
  const next = view.statuses[at + 1]
  return next && next.stage !== 'closed' ? next : null
}

/** The author and the time of a status that somebody set. */
export const stampFields = (view: KindView, record: InboxRecord) => {
  const fields: Readonly<Record<string, unknown>> = { ...record }
  const by = fields[view.stamp.by]
  const at = fields[view.stamp.at]
  return typeof by === 'string' && typeof at === 'string' ? { by, at } : null
}
