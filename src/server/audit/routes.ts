import { eventKinds, listAudit } from '#contract/audit.ts'
import { limits } from '#contract/limits.ts'
import { listName, listPage, readCursor } from '#server/http/cursor.ts'
import { invalidField } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { keyedHash, refusedEmail } from '#server/secrets/keys.ts'
import { accountsByHash, listEvents } from './store/events.ts'

export const auditRoutes: Route[] = [
  route(listAudit, async ({ query: { cursor, ...filter } }, { db, config }) => {
    const name = listName('audit', filter.kind, filter.by, filter.day)
    const before = cursor ? readCursor(name, cursor).id : null
    const size = limits.page.default
    const found = await listEvents(db, filter, { before, limit: size + 1 })
    const { kind } = filter
    if (kind !== undefined && found.length === 0 && !eventKinds.some((one) => one === kind))
      throw invalidField('kind', 'Unknown kind.')
    const { data, meta } = listPage(name, found, size)
    const accounts = data.some(({ emailHash }) => emailHash)
      ? await accountsByHash(db, (email) => keyedHash(config.authSecret, refusedEmail(email)))
      : null
    return {
      data: data.map((entry) => {
        const _id = accounts?.get(entry.emailHash ?? '')
        return _id ? { ...entry, target: { kind: 'users', _id } } : entry
      }),
      meta,
    }
  }),
]
