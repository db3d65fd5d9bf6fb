import { listAudit } from '#contract/audit.ts'
import { limits } from '#contract/limits.ts'
import { type Route, route } from '#server/http/route.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { listEvents } from './store.ts'

export const auditRoutes: Route[] = [
  route(listAudit, async ({ query }, { db }) => {
    const before = query.cursor ? readCursor(query.cursor) : null
    const size = limits.page.default
    const found = await listEvents(db, before, size + 1)
    const page = found.slice(0, size)
    const last = found.length > size ? page.at(-1) : undefined
    return { data: page, meta: { nextCursor: last ? writeCursor(last._id) : null } }
  }),
]
