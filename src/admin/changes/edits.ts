import type { BodyInput } from '#contract/http/endpoint.ts'
import type { KindPath } from '#contract/inbox.ts'
import { type AnyKind, anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { answerTimeOf } from '#contract/positions.ts'
import { whenOf } from '../format/dates.ts'
import { blind, shownDetail } from '../record/blind.ts'
import { type KindView, statusView } from '../record/kinds/kind-view.ts'
import { recordNow } from '../record/read-record.ts'
import type { InboxRecord, Patch, RecordDetail } from '../record/record.ts'
import { ask } from '../session/session.ts'
import type { Change, Saved } from './change.ts'
import { makeChange } from './make-change.ts'

/** An action of staff on a record. */
export interface OneAction {
  /** After "is" or "are". */
  phrase: string
  /** The record's fields as the server will write them. */
  patch: (record: InboxRecord) => Patch
  send: (kind: KindPath, id: string, attempt: Parameters<Change['save']>[0]) => Promise<Saved>
}

/** An action of staff on many records at once. */
export interface ManyAction extends Pick<OneAction, 'phrase' | 'patch'> {
  /** As the call for many takes it. */
  bulk: Omit<BodyInput<AnyKind['bulk']>, 'ids'>
  /** Texts of a message, which differ from those of a change. */
  many?: {
    message: string
    failure: string
    /** Asked before all that a filter selects get it. */
    title: (count: number) => string
    question: string
    /** Once it is stored. */
    said: (changed: number, missing: number) => string
    /** It was undone, refused or not confirmed. */
    onTakenBack: () => void
  }
}

export interface Action extends OneAction, ManyAction {}

interface Answer {
  data: RecordDetail | object
  meta: { event: string | null }
}

export const savedOf = ({ data, meta }: Answer): Saved => ({
  events: meta.event ? [meta.event] : [],
  ...('_id' in data ? { record: shownDetail(data) } : {}),
})

/** A message to the sender once it is stored: when it leaves, and its record. */
export const savedMessage = async (
  kind: KindPath,
  id: string,
  meta: Answer['meta'],
): Promise<Saved> => ({
  leavesAt: Date.now() + limits.messageDelaySeconds * 1_000,
  events: meta.event ? [meta.event] : [],
  ...(await recordNow(kind, id)),
})

const change =
  (body: Omit<BodyInput<AnyKind['change']>, 'version'>): OneAction['send'] =>
  async (kind, id, { key, version }) =>
    savedOf(
      await ask(
        anyKind[kind].change,
        { params: { id }, query: blind, body: { ...body, version } },
        { idempotencyKey: key },
      ),
    )

const waiting = { waiting: 'us', moving: 'them', done: null, closed: null } as const

/** True if an answer is owed until a message has told the decision. */
const owesDecision = ({ kind }: KindView): boolean => kind === 'applications'

/** A status as it will be stored, by this person, now. A status other than the first owes no answer. */
export const statusPatch = (view: KindView, record: InboxRecord, status: string, by: string) =>
  record.status === status
    ? {}
    : ({
        status,
        [view.stamp.by]: by,
        [view.stamp.at]: new Date().toISOString(),
        ...(owesDecision(view)
          ? { untold: waiting[statusView(view, status).stage] === null }
          : {
              ...(status === view.statuses[0]?.value ? {} : { dueAt: null }),
              waitingFor: waiting[statusView(view, status).stage],
            }),
      } as Patch)

/** The same with a message to the sender, who then owes the answer, unless nothing or a decision is owed. */
export const messagePatch = (
  view: KindView,
  record: InboxRecord,
  status: string | undefined,
  by: string,
): Patch => {
  const isFinal = waiting[statusView(view, status ?? record.status).stage] === null
  const waitingFor = isFinal ? null : owesDecision(view) ? 'us' : 'them'
  const { answerBy } = record
  return {
    ...(status ? statusPatch(view, record, status, by) : {}),
    dueAt: waitingFor === 'us' && answerBy ? answerTimeOf(answerBy) : null,
    waitingFor,
    ...(owesDecision(view) ? { untold: false } : {}),
  }
}

export const setStatus = (view: KindView, status: string, by: string): Action => ({
  phrase: `now ${statusView(view, status).label}`,
  patch: (record) => statusPatch(view, record, status, by),
  send: change({ status }),
  bulk: { action: 'status', value: status },
})

export const assign = (assignee: string | null): Action => ({
  phrase: `assigned to ${assignee ?? 'nobody'}`,
  patch: () => ({ assignee }),
  send: change({ assignee }),
  bulk: { action: 'assign', value: assignee },
})

export const setSpam = (isSpam: boolean): Action => ({
  phrase: isSpam ? 'in spam' : 'back in the inbox',
  patch: () => ({ box: isSpam ? 'spam' : 'inbox', spam: isSpam ? ['staff'] : null }),
  send: change({ box: isSpam ? 'spam' : 'inbox' }),
  bulk: { action: 'spam', value: isSpam },
})

/** Until an ISO time; null ends it. The promise of an answer stays as it is. */
export const snooze = (until: string | null): OneAction => ({
  phrase: until ? `set aside until ${whenOf(until, new Date())}` : 'back on the list',
  patch: () => ({ snoozedUntil: until }),
  send: change({ snoozedUntil: until }),
})

export const correctEmail = (email: string): OneAction => ({
  phrase: `now reached at ${email}`,
  patch: () => ({ email }),
  send: change({ email }),
})

export const remove: Action = {
  phrase: 'in the trash',
  patch: () => ({ box: 'trash' }),
  send: async (kind, id, { key }) =>
    savedOf(await ask(anyKind[kind].remove, { params: { id } }, { idempotencyKey: key })),
  bulk: { action: 'delete' },
}

export const restore: Action = {
  phrase: 'out of the trash',
  patch: ({ spam }) => ({ box: spam ? 'spam' : 'inbox' }),
  send: async (kind, id, { key }) =>
    savedOf(
      await ask(anyKind[kind].restore, { params: { id }, query: blind }, { idempotencyKey: key }),
    ),
  bulk: { action: 'restore' },
}

export const failureMessage = ({ texts }: KindView, action: OneAction | ManyAction): string => {
  if ('many' in action && action.many) return action.many.failure
  return action === remove ? texts.removeFailed : texts.changeFailed
}

/** Does it to one record, with the version that this person knows; `made` gets the change, and again after a conflict. */
export const act = (
  view: KindView,
  record: InboxRecord,
  action: OneAction,
  made?: (change: Change) => void,
): void => {
  const change = makeChange({
    kind: view.kind,
    edits: [{ record, patch: action.patch(record) }],
    text: `${record.name} is ${action.phrase}`,
    failure: failureMessage(view, action),
    save: (attempt) => action.send(view.kind, record._id, attempt),
    again: (stored) => act(view, stored, action, made),
  })
  made?.(change)
}
