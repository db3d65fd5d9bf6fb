import { limits } from '#contract/limits.ts'
import { listMail, retryMail } from '#contract/mail/mail.ts'
import type { MailStatus } from '#contract/mail/outgoing-mail.ts'
import { listName, listPage, readCursor } from '#server/http/cursor.ts'
import { HttpError, orNotFound, pathId } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { blindReader } from '#server/kinds/store/hidden.ts'
import { listMessages, retryMessage } from './store/messages.ts'

/** The reasons why a message of a status is not sent again. */
const settled: Partial<Record<MailStatus, string>> = {
  recalled: 'This message was recalled.',
  sent: 'This message has been sent already.',
  held: 'This message waits for its record’s release.',
}

export const mailRoutes: Route[] = [
  route(listMail, async (call, deps) => {
    const { query } = call
    const statuses: readonly MailStatus[] = query.status ? [query.status] : ['waiting', 'failed']
    const name = listName('mail', statuses)
    const cursor = query.cursor ? readCursor(name, query.cursor) : undefined
    const found = await listMessages(deps.db, blindReader(call), {
      statuses,
      count: limits.page.default + 1,
      before: cursor?.id,
    })
    return listPage(name, found, limits.page.default)
  }),
  route(retryMail, async (call, deps) => {
    const { params, actor, request } = call
    const found = orNotFound(await retryMessage(deps.db, pathId(params), actor, blindReader(call)))
    const { message: data, hasFailed, isGone, isExpired, isInSpam } = found
    const keptBack = isInSpam
      ? 'Release its record from spam first.'
      : isExpired
        ? 'What this message says or links to has ended.'
        : isGone && 'The text of this message is no longer kept.'
    const message = (hasFailed && keptBack) || settled[data.status]
    if (message) throw new HttpError('conflict', message)
    request.afterResponse(deps.deliver())
    return { data }
  }),
]
