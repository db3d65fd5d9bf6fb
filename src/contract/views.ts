import * as z from 'zod/mini'
import { id, isoTimestamp, version, wholeNumber } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { type KindPath, kindPaths } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { oneLine } from '#contract/text.ts'

/** Saved views: a filter of a list under a name, one's own or shared with all staff. */

const name = oneLine('Name', { max: limits.viewName })
const kind = z.enum(kindPaths, { error: 'Unknown kind.' })
const shared = z.boolean({ error: 'Shared is true or false.' })

/** As sent: the server validates it by `viewFilter`, because the kind may be the stored one. */
const filter = z
  .record(z.string(), z.unknown(), { error: 'The filter is a JSON object.' })
  .check(z.meta({ description: 'Parameters of the list, but for cursor, skip and blind' }))

const place = wholeNumber('The place', { min: 0, max: limits.views }).check(
  z.meta({ description: 'Where it moves among one’s own views of its kind, from 0' }),
)

export const viewFilter = (path: KindPath) => z.object({ filter: anyKind[path].viewParameters })

const storedFilter = z.record(z.string(), z.unknown())
export type StoredFilter = z.output<typeof storedFilter>

export const view = z.object({
  _id: id,
  name: z.string(),
  kind: z.enum(kindPaths),
  filter: storedFilter,
  shared: z.boolean(),
  own: z.boolean(),
  /** The username of its owner; null once that account is deleted. */
  by: z.nullable(z.string()),
  version: z.int(),
  updatedAt: isoTimestamp,
})
export type View = z.output<typeof view>

const one = z.object({ data: view })

export const listViews = endpoint('GET /api/views', {
  summary: 'Saved views: one’s own in their order, then those that others share, by name',
  access: 'records.read',
  output: z.object({ data: z.array(view) }),
})

export const addView = endpoint('POST /api/views', {
  summary: 'Save a view; sharing it needs the role editor',
  access: 'records.read',
  body: z.object({ name, kind, filter: z.optional(filter), shared: z.optional(shared) }),
  output: one,
  status: 201,
  repeatable: true,
})

export const readView = endpoint('GET /api/views/:id', {
  summary: 'A saved view, one’s own or a shared one',
  access: 'records.read',
  output: one,
})

export const changeView = endpoint('PUT /api/views/:id', {
  summary:
    'Change a saved view, a shared one as an editor; what is left out stays. A stale version: 409',
  access: 'records.read',
  body: z.partial(z.object({ name, kind, filter, shared, place, version })),
  output: one,
})

export const removeView = endpoint('DELETE /api/views/:id', {
  summary: 'Delete a saved view, a shared one as an editor',
  access: 'records.read',
})
