import { undo as undoEndpoint } from '#contract/inbox.ts'
import { recordNow } from '../record/read-record.ts'
import { ask } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import type { Change, Saved } from './change.ts'

/** Reverts the events of a change. Sent again under the same keys, it gets the same answers. */
export const undoEvents = async (
  { kind, edits, message, onUndone }: Change,
  events: readonly string[],
  key: string,
): Promise<Saved> => {
  const made: string[] = []
  const reverted: string[] = []
  let conflicts = 0
  for (const [index, event] of events.entries()) {
    const { data, meta } = await ask(
      undoEndpoint,
      { body: { event } },
      { idempotencyKey: `${key}-${index}` },
    )
    conflicts += data.conflicts.length
    reverted.push(...data.reverted)
    if (meta.event) made.push(meta.event)
  }
  const [only, ...others] = edits
  const isOne = only !== undefined && others.length === 0
  const read = isOne && events.length > 0 ? await recordNow(kind, only.record._id) : {}
  if (conflicts === 0) onUndone?.()
  else
    notify({
      text:
        message !== undefined
          ? conflicts === 1
            ? 'The message has left and stays.'
            : `${conflicts} messages have left and stay.`
          : conflicts === 1
            ? 'Someone has changed the record since, so it stays as it is.'
            : `${conflicts} records have been changed since and stay as they are.`,
      tone: 'bad',
    })
  return { events: made, ...(read.record ? read : { changed: reverted }) }
}
