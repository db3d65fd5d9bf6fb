import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import type { Change, Saved } from '../../changes/change.ts'
import { failureMessage, type ManyAction } from '../../changes/edits.ts'
import { makeChange } from '../../changes/make-change.ts'
import { isTemporary } from '../../changes/retry-policy.ts'
import { countOf } from '../../format/count.ts'
import { maySet } from '../../record/blind.ts'
import { type KindView, statusView } from '../../record/kinds/kind-view.ts'
import { listRecords } from '../../record/list-records.ts'
import type { Filter, InboxRecord } from '../../record/record.ts'
import { ask, sentenceOf } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'

/** `3 consultations`, `1 consultation`. */
export const countLabel = (view: KindView, count: number): string =>
  `${countOf(count)} ${count === 1 ? view.noun : view.nouns}`

interface Chunks {
  /** The ids to change next; null after the last. */
  next: () => Promise<string[] | null>
  stop?: AbortSignal
  onDone?: (count: number) => void
}

/**
 * Sends a bulk action in chunks, each under a key of its own. Called again after a failure it goes on
 * with the chunk whose answer is missing. Where the server refuses the rest, what is done can be undone.
 */
const inChunks = (view: KindView, action: ManyAction, { next, stop, onDone }: Chunks) => {
  const events: string[] = []
  const changed: string[] = []
  let missing = 0
  let chunk: string[] | null = null
  let sent = 0
  let done = 0
  return async (key: string): Promise<Saved & { changed: string[] }> => {
    try {
      for (chunk ??= await next(); chunk && !stop?.aborted; chunk = await next()) {
        const { data, meta } = await ask(
          anyKind[view.kind].bulk,
          { body: { ids: chunk, ...action.bulk } },
          { idempotencyKey: `${key}-${sent}` },
        )
        changed.push(...data.changed)
        missing += data.missing.length
        if (meta.event) events.push(meta.event)
        sent += 1
        done += chunk.length
        chunk = null
        onDone?.(done)
      }
      const leavesAt = Date.now() + limits.messageDelaySeconds * 1_000
      return {
        events,
        changed,
        ...(action.many
          ? {
              text: action.many.said(changed.length, missing),
              done: `Message to ${countLabel(view, changed.length)}`,
              leavesAt,
            }
          : missing > 0
            ? {
                text: `Only ${countLabel(view, changed.length)} changed. ${countOf(missing)} ${missing === 1 ? 'is' : 'are'} not in this list any more.`,
                done: `${countLabel(view, changed.length)} ${changed.length === 1 ? 'is' : 'are'} as before`,
              }
            : {}),
      }
    } catch (error) {
      if (isTemporary(error, action.many !== undefined) || events.length === 0) throw error
      const message = sentenceOf(error, failureMessage(view, action))
      const count = countLabel(view, changed.length)
      if (!action.many) return { events, changed, text: `Only ${count} changed. ${message}` }
      action.many.onTakenBack()
      return {
        events,
        changed,
        text: `The message goes to ${count} only. ${message} Your text is kept.`,
        done: `Message to ${count}`,
        leavesAt: Date.now() + limits.messageDelaySeconds * 1_000,
      }
    }
  }
}

/** The options that a message adds to a change: if it is not sent, its text is kept for another try. */
const messageOf = ({ many }: ManyAction): Partial<Change> =>
  many
    ? {
        message: many.message,
        isLong: true,
        onUndone: many.onTakenBack,
        onRefused: (sentence) => {
          many.onTakenBack()
          notify({ text: sentence, tone: 'bad' })
        },
      }
    : {}

export const changeSelected = (
  view: KindView,
  records: readonly InboxRecord[],
  action: ManyAction,
): void => {
  const ids = records.map((record) => record._id)
  const next = async () => {
    const chunk = ids.splice(0, limits.bulk)
    return chunk.length > 0 ? chunk : null
  }
  const save = inChunks(view, action, { next })
  makeChange({
    kind: view.kind,
    edits: records.map((record) => ({ record, patch: action.patch(record) })),
    text: action.many
      ? `Message to ${countLabel(view, records.length)}`
      : `${countLabel(view, records.length)} ${records.length === 1 ? 'is' : 'are'} ${action.phrase}`,
    failure: failureMessage(view, action),
    ...messageOf(action),
    save: ({ key }) => save(key),
  })
}

/** The progress of a change of all that matches, and its way out. */
interface Progress {
  /** Ends it after the records that are on their way; what is done stays, and can be undone. */
  stop: AbortSignal
  onDone: (count: number) => void
  onEnd: () => void
}

/** Changes all that a filter selects, a page at a time. */
export const changeMatching = (
  view: KindView,
  filter: Filter,
  action: ManyAction,
  matching: number,
  { stop, onDone, onEnd }: Progress,
): Change => {
  // Undefined at the start, null after the last page. It stays valid while records before it leave.
  let cursor: string | null | undefined
  /** The number of those that this person has to score before deciding. */
  let unscored = 0
  const next = async (): Promise<string[] | null> => {
    if (cursor === null || stop.aborted) return null
    const { data, meta } = await listRecords(view.kind, { ...filter, limit: limits.bulk, cursor })
    cursor = meta.nextCursor
    const open = data.filter((record) => {
      const { status = record.status } = action.patch(record)
      return status === record.status || maySet(record, statusView(view, status))
    })
    unscored += data.length - open.length
    if (open.length > 0) return open.map((record) => record._id)
    return cursor === null ? null : next()
  }
  const save = inChunks(view, action, { next, stop, onDone })
  return makeChange({
    kind: view.kind,
    edits: [],
    text: `${action.many ? 'Message to all' : 'All'} ${countLabel(view, matching)} that match`,
    failure: failureMessage(view, action),
    ...messageOf(action),
    isLong: true,
    save: async ({ key }) => {
      const saved = await save(key)
      const { text = `${countLabel(view, saved.changed.length)} changed`, done = text } = saved
      if (unscored === 0) return { ...saved, text }
      const left = `${countOf(unscored)} left out: read blind, and not scored by you yet.`
      return { ...saved, text: `${text.replace(/\.$/, '')}. ${left}`, done }
    },
    onEnd,
  })
}
