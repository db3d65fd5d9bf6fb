import { may } from '#contract/http/access.ts'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import * as contract from '#contract/views.ts'
import type { Database } from '#server/db/drizzle.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, orNotFound, pathId } from '#server/http/http-error.ts'
import { validate } from '#server/http/input.ts'
import { type Actor, type Route, route } from '#server/http/route.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { refuseUnknownChoice } from '#server/kinds/store/choice.ts'
import { addView, changeView, findView, listViews, removeView } from './store.ts'

/** Saved views. Nobody learns of another's view that is not shared: it is a 404. */

/** Leaves out what is blank, which the list takes for absent. */
const validFilter = async (db: Database, kind: KindPath, given: unknown) => {
  const { filter } = validate(contract.viewFilter(kind), { filter: given })
  await refuseUnknownChoice(db, kindByPath[kind], filter)
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
}

const requireView = async ({ db }: Deps, params: { id: string }, actor: Actor) =>
  orNotFound(await findView(db, pathId(params), actor))

const rightToShare = (body: unknown) =>
  (body as { shared?: unknown } | null)?.shared === true ? ('records.change' as const) : undefined

const exists = async (params: { id: string }, deps: Deps, actor: Actor): Promise<boolean> =>
  (await findView(deps.db, pathId(params), actor)) !== undefined

export const viewRoutes: Route[] = [
  route(contract.listViews, async ({ actor }, { db }) => ({ data: await listViews(db, actor) })),

  route(
    contract.addView,
    async ({ body: { name, kind, filter = {}, shared = false }, actor }, { db }) => {
      const view = { name, kind, filter: await validFilter(db, kind, filter), shared }
      const outcome = await addView(db, view, actor)
      if (!outcome) throw new HttpError('unauthenticated')
      if (!outcome.view)
        throw new HttpError('conflict', `You have ${limits.views} views. Delete one first.`)
      return { data: outcome.view }
    },
    { right: rightToShare },
  ),

  route(contract.readView, async ({ params, actor }, deps) => ({
    data: await requireView(deps, params, actor),
  })),

  route(
    contract.changeView,
    async ({ params, body, actor }, deps) => {
      const stored = await requireView(deps, params, actor)
      if (stored.shared && !may(actor.role, 'records.change')) throw new HttpError('forbidden')
      const isForOwner =
        body.place !== undefined || (body.shared ?? stored.shared) !== stored.shared
      if (isForOwner && !stored.own)
        throw new HttpError('forbidden', 'Only the owner of a view may do this.')
      const filter =
        body.filter || body.kind
          ? await validFilter(deps.db, body.kind ?? stored.kind, body.filter ?? stored.filter)
          : undefined
      const found = orNotFound(await changeView(deps.db, stored._id, { ...body, filter }, actor))
      if (found.isStale) throw new HttpError('conflict', { data: found.view })
      return { data: found.view }
    },
    { right: rightToShare, exists },
  ),

  route(contract.removeView, async ({ params, actor }, { db }) => {
    const outcome = orNotFound(await removeView(db, pathId(params), actor))
    if (!outcome.isRemoved) throw new HttpError('forbidden')
    return { data: {} }
  }),
]
