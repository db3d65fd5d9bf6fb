import type { Content } from '#contract/content/collections.ts'
import { ownersOnly } from '#contract/content/desk.ts'
import { may } from '#contract/http/access.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, orNotFound } from '#server/http/http-error.ts'
import type { Actor } from '#server/http/route.ts'
import { content } from '#site/content.ts'
import { isUsed } from '#site/features.ts'
import { isList, isSingle, publishedValue, withDrafts, withoutIdleOrders } from './documents.ts'
import type { SiteRenderer } from './site.ts'
import { readDesk } from './store/drafts.ts'

/** The desk on which the calls of content work: the live documents with their drafts. */

/** A body larger than other calls may have: a whole document. */
export const large = { bodyBytes: () => 256 * 1_024 }

export const mayChange = (actor: Actor, collection: string): boolean =>
  !ownersOnly.includes(collection) || may(actor.role, 'content.own')

export const requireMayChange = (actor: Actor, collection: string): void => {
  if (!mayChange(actor, collection))
    throw new HttpError('forbidden', 'Only a superuser changes this.')
}

export const openDesk = async ({ db }: Deps) => {
  const desk = await readDesk(db)
  const published: Content = { ...content(), ...desk.live?.documents }
  const drafts = withoutIdleOrders(published, desk.drafts)
  return { ...desk, drafts, published, drafted: withDrafts(published, drafts) }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>

export const draftOf = ({ drafts }: Desk, collection: string, id: string) =>
  drafts.find((draft) => draft.collection === collection && draft.entry === id)

/** Undefined for a collection of a part that the brand switches off, unless it has changes to publish. */
export const findCollection = async (deps: Deps, { collection }: { collection: string }) => {
  if (!isList(collection) && !isSingle(collection)) return undefined
  const desk = await openDesk(deps)
  const hasChanges = desk.drafts.some((one) => one.isDraft && one.collection === collection)
  return hasChanges || isUsed(desk.drafted, collection) ? { collection, desk } : undefined
}

/** @throws HttpError `not_found` */
export const requireCollection = async (deps: Deps, params: { collection: string }) =>
  orNotFound(await findCollection(deps, params))

export const isTaken = (desk: Desk, collection: string, id: string): boolean =>
  publishedValue(desk.published, collection, id) !== undefined ||
  draftOf(desk, collection, id)?.isDraft === true

/** @throws HttpError `unavailable` where no build can draw the site */
export const requireRenderer = ({ renderer }: Deps): SiteRenderer => {
  if (!renderer)
    throw new HttpError('unavailable', {
      message: 'This build cannot draw the site. Build the site again, then publish.',
      retryAfter: 3_600,
    })
  return renderer
}
