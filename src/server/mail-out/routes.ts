import { limits } from '#contract/limits.ts'
import { listMail, retryMail } from '#contract/mail/mail.ts'
import type { MailStatus } from '#contract/mail/outgoing-mail.ts'
import { listName, readCursor, writeCursor } from '#server/http/cursor.ts'
import { HttpError } from '#server/http/http-error.ts'
import { pathId } from '#server/http/id.ts'
import { type Route, route } from '#server/http/route.ts'
import { blindReader } from '#server/kinds/store/hidden.ts'
import { listMessages, retryMessage } from './store/messages.ts'

const PAGE = limits.page.default

export const mailRoutes: Route[] = [
  route(listMail, async (call, deps) => {
    const { query } = call
    const statuses: readonly MailStatus[] = query.status ? [query.status] : ['waiting', 'failed']
    const name = listName('mail', statuses)
    const cursor = query.cursor ? readCursor(name, query.cursor) : undefined
    const found = await listMessages(deps.db, blindReader(call), {
      statuses,
      count: PAGE + 1,
      before: cursor?.id,
    })
    const data = found.slice(0, PAGE)
    const last = found.length > PAGE ? data.at(-1) : undefined
    return {
      data,
      meta: { nextCursor: last ? writeCursor(name, { key: '', id: last._id }) : null },
    }
  }),
  route(retryMail, async (call, deps) => {
    const { params, actor, request } = call
    await deps.scheduleDelivery()
    const found = await retryMessage(deps.db, pathId(params), actor, blindReader(call))
    if (!found) throw new HttpError('not_found')
    const { message: data, isGone, isExpired, isInSpam } = found
    if (data.status === 'failed' && isInSpam)
      throw new HttpError('conflict', { message: 'Release its record from spam first.' })
    if (data.status === 'failed' && isExpired)
      throw new HttpError('conflict', { message: 'What this message says or links to has ended.' })
    if (data.status === 'failed' && isGone)
      throw new HttpError('conflict', { message: 'The text of this message is no longer kept.' })
    if (data.status === 'recalled')
      throw new HttpError('conflict', { message: 'This message was recalled.' })
    if (data.status === 'sent')
      throw new HttpError('conflict', { message: 'This message has been sent already.' })
    if (data.status === 'held')
      throw new HttpError('conflict', { message: 'This message waits for its record’s release.' })
    request.afterResponse(deps.deliver())
    return { data }
  }),
]
