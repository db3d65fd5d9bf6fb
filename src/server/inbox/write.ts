import { limits } from '#contract/limits.ts'
import { type Limit, limitFor, perHour } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { orRateLimited } from '#server/http/rate-limited.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import type { Outcome } from './store/change.ts'
import { type MessageOutcome, type NewMessage, writeMessages } from './store/message.ts'

/** The messages that one account may send in an hour. */
export const messageLimit = ({ config }: Pick<Deps, 'config'>, actor: Actor): Limit =>
  limitFor(config, 'messages', actor.id, perHour(limits.messagesPerHour))

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
