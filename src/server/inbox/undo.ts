import { may } from '#contract/http/access.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { HttpError } from '#server/http/http-error.ts'
import { pathId } from '#server/http/id.ts'
import type { Actor } from '#server/http/route.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { heldAcknowledgements } from './store/mail-follows.ts'
import { findChange, type Undone, undoChange } from './store/undo.ts'

/**
 * Puts back what a change of the actor's own altered, wherever nobody has changed the record since.
 * What it writes is a change like any other, so that it can be undone in turn.
 *
 * @throws HttpError `not_found` for what is no change of records; `forbidden` for another person's, and
 * for a deletion, a restoration or an exemption where the actor may not make one today
 */
export const undo = async (
  { db, config }: { db: Database; config: Config },
  event: string,
  actor: Actor,
): Promise<Undone> => {
  const found = await findChange(db, pathId({ id: event }))
  if (!found?.kind) throw new HttpError('not_found')
  if (found.byId !== actor.id) throw new HttpError('forbidden')
  // A person who was an admin then and is an editor now cannot undo it.
  if (found.removes && !may(actor.role, 'records.remove')) throw new HttpError('forbidden')

  const kind = kindByPath[found.kind]
  const held = found.releases ? await heldAcknowledgements(db, config, kind, found.ids) : {}
  return undoChange(db, kind, event, { actor, acknowledgementKeys: held })
}
