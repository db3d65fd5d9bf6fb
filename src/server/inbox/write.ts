import type { AnyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { type Limit, limitFor, perHour } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { orRateLimited } from '#server/http/rate-limited.ts'
import type { Actor, Call } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import type { Outcome } from './store/change.ts'
import { type MessageOutcome, type NewMessage, writeMessages } from './store/message.ts'

export const messageLimit = ({ config }: Pick<Deps, 'config'>, actor: Actor): Limit =>
  limitFor(config, 'messages', actor.id, {
    ...perHour(limits.messagesPerHour),
    sentence: `An account sends ${limits.messagesPerHour} messages an hour at most.`,
  })

/** The refusal of what is meant for the sender of a record in the spam box. */
export const inSpam = (): HttpError =>
  new HttpError('conflict', 'Release the record from spam first.')

/** Unknown, or in the trash where only reading and restoring go on. */
export const requireFound = (
  { found: [record] }: Pick<Outcome, 'found'>,
  { inTrash = false } = {},
): void => {
  if (!record || (record.box === 'trash' && !inTrash)) throw new HttpError('not_found')
}

/**
 * Writes to the senders of records, within what one account may write in an hour.
 *
 * @throws HttpError `rate_limited` where that is used up; nothing is stored then
 */
export const write = (
  deps: Deps,
  kind: Kind,
  ids: readonly string[],
  message: NewMessage,
  { actor, ...options }: { actor: Actor; withEntry?: boolean },
): Promise<MessageOutcome> => {
  const limit = messageLimit(deps, actor)
  return orRateLimited(
    deps.db,
    [limit],
    () => writeMessages(deps.db, kind, ids, message, { actor, limit, ...options }),
    ids.length,
  )
}

/**
 * Writes to the sender of one record; the entry, and the change that undo takes.
 *
 * @throws HttpError `not_found`, `conflict` for a record in spam, or as {@link write}
 */
export const writeOne = async (
  deps: Deps,
  kind: Kind,
  id: string,
  message: NewMessage,
  { actor, request }: Pick<Call<AnyKind['message']>, 'actor' | 'request'>,
) => {
  const { entry, ...outcome } = await write(deps, kind, [id], message, { actor, withEntry: true })
  requireFound(outcome)
  if (!entry) throw inSpam()
  request.afterResponse(deps.deliver(limits.messageDelaySeconds))
  return { data: entry, meta: { event: outcome.event } }
}
