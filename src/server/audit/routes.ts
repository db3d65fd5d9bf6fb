import { listAudit } from '#contract/audit.ts'
import { limits } from '#contract/limits.ts'
import { listName, readCursor, writeCursor } from '#server/http/cursor.ts'
import { type Route, route } from '#server/http/route.ts'
import { listEvents } from './store/events.ts'

const name = listName('audit')

export const auditRoutes: Route[] = [
  route(listAudit, async ({ query }, { db }) => {
    const before = query.cursor ? readCursor(name, query.cursor).id : null
    const size = limits.page.default
    const found = await listEvents(db, before, size + 1)
    const page = found.slice(0, size)
    const last = found.length > size ? page.at(-1) : undefined
    return {
      data: page,
      meta: { nextCursor: last ? writeCursor(name, { key: '', id: last._id }) : null },
    }
  }),
]
