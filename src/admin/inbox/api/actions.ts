import type { BulkAction, KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { ask } from '../../session/session.ts'
import { type KindView, statusView } from '../kinds/kind-view.ts'
import type { Saved } from './change.ts'
import { makeChange } from './make-change.ts'
import type { InboxRecord, Patch, RecordDetail } from './record.ts'

/** What staff can do to a record, or to many at once. */
export interface Action {
  /** After "is" or "are". */
  phrase: string
  /** What becomes of a record's fields, as the server will write them. */
  patch: (record: InboxRecord) => Patch
  send: (kind: KindPath, id: string, attempt: Attempt) => Promise<Saved>
  /** As the call for many takes it. */
  bulk: { action: BulkAction; value?: string | boolean | null }
}

interface Attempt {
  key: string
  version: number | undefined
}

interface Answer {
  data: RecordDetail | object
  meta: { event: string | null }
}

const savedOf = ({ data, meta }: Answer): Saved => ({
  events: meta.event ? [meta.event] : [],
  ...('_id' in data ? { record: data } : {}),
})

interface RecordBody {
  status?: string
  assignee?: string | null
  box?: 'inbox' | 'spam'
}

const change =
  (body: RecordBody): Action['send'] =>
  async (kind, id, { key, version }) =>
    savedOf(
      await ask(
        anyKind[kind].change,
        { params: { id }, body: { ...body, version } },
        { idempotencyKey: key },
      ),
    )

export const setStatus = (view: KindView, status: string, by: string): Action => ({
  phrase: `now ${statusView(view, status).label}`,
  patch: (record) =>
    record.status === status
      ? {}
      : ({ status, [view.stamp.by]: by, [view.stamp.at]: new Date().toISOString() } as Patch),
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
    savedOf(await ask(anyKind[kind].restore, { params: { id } }, { idempotencyKey: key })),
  bulk: { action: 'restore' },
}

export const failureMessage = ({ texts }: KindView, { bulk }: Action): string =>
  bulk.action === 'delete' ? texts.removeFailed : texts.changeFailed

/** Does it to one record, with the version that this person knows. */
export const act = (view: KindView, record: InboxRecord, action: Action): void => {
  makeChange({
    kind: view.kind,
    edits: [{ record, patch: action.patch(record) }],
    text: `${record.name} is ${action.phrase}`,
    failure: failureMessage(view, action),
    save: (attempt) => action.send(view.kind, record._id, attempt),
    again: (stored) => act(view, stored, action),
  })
}
