import { ApiError } from '#client/call.ts'
import {
  changeRecord,
  keepRecord,
  type RecordPatch,
  removeRecord,
  restoreRecord,
} from './api/endpoints.ts'
import type { InboxRecord, RecordDetail } from './api/record.ts'
import { make } from './changes.ts'
import { type KindView, statusOf } from './kinds/kind-view.ts'
import { versionOf } from './versions.ts'

/** What staff can do to records, each as one change that shows at once. */

const now = (): string => new Date().toISOString()

export const withStatus = (view: KindView, record: InboxRecord, status: string, by: string) => ({
  ...record,
  status,
  [view.stamp.by]: by,
  [view.stamp.at]: now(),
})

const patchOne = (
  view: KindView,
  before: InboxRecord,
  after: InboxRecord,
  patch: RecordPatch,
  text: string,
  again: (stored: InboxRecord) => void,
) =>
  make({
    kind: view.kind,
    pairs: [{ before, after }],
    text,
    failure: view.texts.changeFailed,
    again,
    run: async () => {
      const { data, meta } = await changeRecord(view.kind, before._id, {
        ...patch,
        version: versionOf(before),
      })
      return { events: meta.event ? [meta.event] : [], answer: data }
    },
  })

export const setStatus = (
  view: KindView,
  record: InboxRecord,
  status: string,
  by: string,
): void => {
  if (record.status === status) return
  patchOne(
    view,
    record,
    withStatus(view, record, status, by),
    { status },
    `${record.name} is now ${statusOf(view, status).label}`,
    (stored) => setStatus(view, stored, status, by),
  )
}

export const assign = (view: KindView, record: InboxRecord, assignee: string | null): void => {
  if (record.assignee === assignee) return
  patchOne(
    view,
    record,
    { ...record, assignee },
    { assignee },
    assignee ? `${record.name} is assigned to ${assignee}` : `${record.name} is assigned to nobody`,
    (stored) => assign(view, stored, assignee),
  )
}

export const setSpam = (view: KindView, record: InboxRecord, isSpam: boolean): void => {
  const box = isSpam ? 'spam' : 'inbox'
  if (record.box === box) return
  patchOne(
    view,
    record,
    { ...record, box, spam: isSpam ? ['staff'] : null },
    { box },
    isSpam ? `${record.name} is in spam` : `${record.name} is back in the inbox`,
    (stored) => setSpam(view, stored, isSpam),
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export const remove = (view: KindView, before: InboxRecord): void => {
  make({
    kind: view.kind,
    pairs: [{ before, after: { ...before, box: 'trash' } }],
    text: `${before.name} is in the trash`,
    failure: view.texts.removeFailed,
    run: async (tries) => {
      try {
        const { meta } = await removeRecord(view.kind, before._id)
        return { events: meta.event ? [meta.event] : [], changed: [before._id] }
      } catch (error) {
        // The first try arrived after all; only its answer was lost.
        if (tries > 0 && isGone(error)) return { events: [] }
        throw error
      }
    },
  })
}

export const restore = (view: KindView, before: InboxRecord): void => {
  make({
    kind: view.kind,
    pairs: [{ before, after: { ...before, box: before.spam ? 'spam' : 'inbox' } }],
    text: `${before.name} is out of the trash`,
    failure: view.texts.changeFailed,
    run: async () => {
      const { data, meta } = await restoreRecord(view.kind, before._id)
      return { events: meta.event ? [meta.event] : [], answer: data }
    },
  })
}

/** Exempts a record from the retention rules, or lets them have it again. */
export const keep = (view: KindView, before: RecordDetail, isKept: boolean): void => {
  make({
    kind: view.kind,
    pairs: [{ before, after: isKept ? { ...before, expiresAt: null } : before }],
    text: isKept ? `${before.name} is kept` : `${before.name} follows the retention rules again`,
    failure: 'Failed to change how long this is kept. Please try again.',
    run: async () => {
      const { data, meta } = await keepRecord(view.kind, before._id, isKept)
      return { events: meta.event ? [meta.event] : [], answer: data }
    },
  })
}
