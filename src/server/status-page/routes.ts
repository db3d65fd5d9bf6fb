import { limits } from '#contract/limits.ts'
import * as contract from '#contract/sender.ts'
import { calendarFile } from '#contract/times/calendar.ts'
import { addReply } from '#server/conversation/store.ts'
import { limitFor, perDay, perHour } from '#server/db/rate-limit.ts'
import { callIsAbout } from '#server/db/write.ts'
import type { Deps } from '#server/deps.ts'
import { download, json } from '#server/http/answer.ts'
import { HttpError, invalidField, isFound, orNotFound } from '#server/http/http-error.ts'
import { limitsByIp } from '#server/http/ip.ts'
import { orRateLimited } from '#server/http/rate-limited.ts'
import { type Route, route } from '#server/http/route.ts'
import { fieldText } from '#server/kinds/kind.ts'
import { renderCode } from '#server/mail-out/render/sender.ts'
import { eraseForSender } from '#server/privacy/erase.ts'
import { correctedFields } from './correction.ts'
import { sendLinks } from './link-request.ts'
import { senderRecord, withLinks } from './record.ts'
import { codeHashes, makeCode, newCode, tryCode } from './store/codes.ts'
import { correct } from './store/correct.ts'
import { readHeld } from './store/export.ts'
import { type Found, findLinked, type Linked, readRecord } from './store/find.ts'
import { countRequest } from './store/link-request.ts'
import { withdraw } from './store/withdraw.ts'
import { zoneSearch } from './zones.ts'

/** The calls of the sender's page. A form's content type gets a redirect to a page. */

interface Params {
  token: string
}

const requireLinked = async ({ db }: Deps, { token }: Params): Promise<Linked> => {
  const linked = orNotFound(await findLinked(db, token))
  callIsAbout(db, linked.id)
  return linked
}

export const requireRecord = async (
  deps: Deps,
  params: Params,
  part: Parameters<typeof readRecord>[2] = {},
): Promise<Found> => orNotFound(await readRecord(deps.db, await requireLinked(deps, params), part))

/**
 * A record with which more can be done than to see that it was received.
 *
 * @throws HttpError `not_found`
 */
export const requireInInbox = async (deps: Deps, params: Params): Promise<Found> => {
  const found = await requireRecord(deps, params)
  if (found.box === 'spam') throw new HttpError('not_found')
  return found
}

const exists = (params: Params, deps: Deps) => isFound(requireRecord(deps, params))

const isInInbox = (params: Params, deps: Deps) => isFound(requireInInbox(deps, params))

export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { Location: location } })

export const pageOf = ({ token }: Params, screen = ''): string => `/status/${token}${screen}`

/** @throws HttpError `invalid` for a code that is wrong, used or old */
const requireCode = async (deps: Deps, linked: Linked, code: string): Promise<void> => {
  const hashes = codeHashes(deps.config.authSecret, linked.id, code)
  const { isRight, triesLeft } = await tryCode(deps.db, linked, hashes)
  if (isRight) return
  const left = triesLeft === 1 ? 'once more' : `${triesLeft} more times`
  throw invalidField(
    'code',
    triesLeft > 0
      ? `This code is wrong. You can try ${left}, or have a new one sent.`
      : 'This code is wrong or has run out. Have a new one sent.',
  )
}

export const senderRoutes: Route[] = [
  route(
    contract.readStatus,
    async ({ params, query }, deps) => {
      const found = await requireRecord(deps, params, query)
      return { data: senderRecord(withLinks(found, `${deps.config.siteUrl}${pageOf(params)}`)) }
    },
    { exists },
  ),

  route(
    contract.replyAsSender,
    async ({ params, body, request }, deps) => {
      const { kind, id } = await requireLinked(deps, params)
      const limit = limitFor(deps.config, 'sender-reply', id, {
        ...perDay(limits.repliesPerDay),
        sentence: `You can send ${limits.repliesPerDay} messages here a day.`,
      })
      const stored = orNotFound(
        await orRateLimited(deps.db, [limit], () =>
          addReply(deps, kind, id, { kind: 'reply', text: body.text, limits: [limit] }),
        ),
      )
      request.afterResponse(deps.deliver())
      if (request.isForm) return seeOther(pageOf(params, `${zoneSearch(body.zone)}#messages`))
      return { data: { at: stored.at, from: 'you' as const, text: body.text } }
    },
    { exists, bodyBytes: () => limits.longBodyBytes },
  ),

  route(
    contract.correctAsSender,
    async ({ params, body, request }, deps) => {
      const found = await requireInInbox(deps, params)
      const corrected = correctedFields(found.kind, found.fields, body)
      const fields = { ...found.fields, ...corrected }
      let { promisedAt } = found
      const closed = 'position' in corrected && found.kind.closed?.(fields, new Date())
      if (closed) throw new HttpError('invalid', { fields: closed })
      if (Object.keys(corrected).length > 0) {
        const limit = limitFor(deps.config, 'sender-correction', found.id, {
          ...perDay(limits.correctionsPerDay),
          sentence: `You can correct this ${limits.correctionsPerDay} times a day.`,
        })
        const { dueAt } = orNotFound(
          await orRateLimited(deps.db, [limit], () =>
            correct(deps.db, found, { corrected, limit }),
          ),
        )
        promisedAt = dueAt
        request.afterResponse(deps.deliver())
      }
      if (request.isForm) return seeOther(pageOf(params))
      return { data: senderRecord({ ...found, fields, promisedAt }) }
    },
    { exists: isInInbox },
  ),

  route(
    contract.withdrawAsSender,
    async ({ params, body, request }, deps) => {
      const found = await requireInInbox(deps, params)
      if (request.isForm && body.confirm === undefined)
        throw invalidField('confirm', 'Tick the box to withdraw it.')
      orNotFound(await withdraw(deps.db, found))
      request.afterResponse(deps.deliver())
      return request.isForm ? seeOther(pageOf(params)) : { data: {} }
    },
    { exists: isInInbox },
  ),

  route(
    contract.requestCode,
    async ({ params, body, request }, deps) => {
      const found = await requireInInbox(deps, params)
      const { code, hash } = makeCode(deps.config.authSecret, found.id)
      const rule = perHour(limits.senderCode.perHour)
      const limit = limitFor(deps.config, 'sender-code', found.id, rule)
      const mail = renderCode(found.id, code)
      orNotFound(
        await orRateLimited(deps.db, [limit], () =>
          newCode(deps.db, deps.config.authSecret, found, { codeHash: hash, mail, limit }),
        ),
      )
      request.afterResponse(deps.deliver())
      if (!request.isForm) return { data: {} }
      return seeOther(pageOf(params, body.for === 'erase' ? '/erase?sent' : '/export?sent'))
    },
    { exists: isInInbox },
  ),

  route(
    contract.exportAsSender,
    async ({ params, body, request }, deps) => {
      const found = await requireInInbox(deps, params)
      await requireCode(deps, found, body.code)
      const page = senderRecord(found)
      const whole = { ...page, ...(await readHeld(deps.db, found)), older: null }
      const bytes = Buffer.byteLength(JSON.stringify(whole))
      // The file holds all messages, whatever they come to; an answer of the API leads to older ones.
      const isWhole = request.isForm || bytes <= limits.activity.bytes
      const data = isWhole ? whole : { ...whole, messages: page.messages, older: page.older }
      // As a response it is not stored under the call's key: under the key it is read again.
      if (!request.isForm) return json(200, { success: true, data })
      const text = `${JSON.stringify(data, null, 2)}\n`
      return download(`${data.reference}.json`, 'application/json', text)
    },
    { exists: isInInbox },
  ),

  route(
    contract.eraseAsSender,
    async ({ params, body, request }, deps) => {
      const found = await requireInInbox(deps, params)
      await requireCode(deps, found, body.code)
      await eraseForSender(deps, found.kind, found.id)
      request.afterResponse(deps.deliver())
      if (!request.isForm) return { data: {} }
      return seeOther(found.keepsAccepted ? '/status/erased?kept' : '/status/erased')
    },
    { exists: isInInbox },
  ),

  route(contract.preferredDayFile, async ({ params }, deps) => {
    const { kind, id, fields, createdAt } = await requireInInbox(deps, params)
    if (kind.path !== 'consultations') throw new HttpError('not_found')
    const text = calendarFile(id, fieldText(fields.preferredDate), createdAt)
    return download('preferred-day.ics', 'text/calendar', text)
  }),

  route(contract.requestLinks, async ({ body, request }, deps) => {
    // With the requests for new passwords: one limit for all mail that a stranger can cause.
    const limit = perHour(limits.linkRequestsPerHour)
    const byIp = limitsByIp(deps.config.authSecret, 'link-request', request.ip, limit)
    await orRateLimited(deps.db, byIp, () => countRequest(deps.db, byIp))
    // After the answer, so that its time says nothing about the address.
    request.afterResponse(sendLinks(body.email, deps))
    return request.isForm ? seeOther('/status/sent') : { data: {} }
  }),
]
