import { limits } from '#contract/limits.ts'
import { shortReference } from '#contract/reference.ts'
import type { Appointment } from '#contract/times/appointment.ts'
import * as contract from '#contract/times/times.ts'
import { limitFor, perDay } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { download } from '#server/http/answer.ts'
import { HttpError, invalidField, isFound, orNotFound } from '#server/http/http-error.ts'
import { orRateLimited } from '#server/http/rate-limited.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import { calendarText } from '#server/mail-out/render/invitation.ts'
import { pageOf, requireInInbox, seeOther } from '#server/status-page/routes.ts'
import { type Found, seenBySender } from '#server/status-page/store/find.ts'
import { chooseZone, zoneQuery, zoneSearch } from '#server/status-page/zones.ts'
import { brand } from '#site/content.ts'
import { choicesOf } from './choices.ts'
import { book, cancel, upcomingOf } from './store/appointments.ts'

/** The sender's calls about times. A form's content type gets a redirect to the page. */

export const requireConsultation = async (deps: Deps, params: { token: string }) => {
  const found = await requireInInbox(deps, params)
  if (found.kind.path !== 'consultations') throw new HttpError('not_found')
  return found
}

const isConsultation = (params: { token: string }, deps: Deps) =>
  isFound(requireConsultation(deps, params))

export const senderTimes = async (deps: Deps, found: Found, zone: unknown) => {
  const { offered, host, slots } = await choicesOf(deps, found)
  return {
    minutes: offered?.minutes ?? host?.minutes ?? 30,
    zone: chooseZone(zone, found.timeZone),
    host: host?.firstName ?? brand().name,
    slots,
    appointment: found.appointment,
  }
}

const backToPage = (params: { token: string }, { timeZone }: Found, zone: unknown): Response => {
  const kept = zoneQuery(chooseZone(zone, timeZone), timeZone).zone
  return seeOther(pageOf(params, `/times${zoneSearch(kept)}`))
}

const take = async ({ params, body, request }: Call<typeof contract.takeTime>, deps: Deps) => {
  const found = await requireConsultation(deps, params)
  const answer = (data: Appointment) =>
    request.isForm ? backToPage(params, found, body.zone) : { data }
  const { offered, host, slots } = await choicesOf(deps, found, { isTaking: true })
  const slot = slots.find(({ start }) => start === body.start)
  /** The time is the record's own already, also where the same click came twice at once. */
  const ownOrTaken = async () => {
    const now = await requireConsultation(deps, params)
    const { appointment } = now
    const isOwn = appointment?.state === 'booked' && appointment.start === body.start
    if (isOwn && Date.parse(body.start) > Date.now()) return answer(appointment)
    throw new HttpError('taken', { data: await senderTimes(deps, now, undefined) })
  }
  if (!offered || !host || !slot) return await ownOrTaken()
  const { minutes } = offered
  const rule = perDay(limits.appointmentsPerDay)
  const limit = limitFor(deps.config, 'sender-appointment', found.id, rule)
  const zone = body.zone === undefined ? undefined : chooseZone(body.zone, found.timeZone)
  const wanted = { recordId: found.id, host, start: slot.start, minutes, zone, limit }
  const done = await orRateLimited(deps.db, [limit], () => book(deps.db, wanted))
  if (done === 'taken') return await ownOrTaken()
  if (done === 'gone') throw new HttpError('not_found')
  request.afterResponse(deps.deliver())
  return answer(seenBySender(done))
}

const cancelAs = async (deps: Deps, params: { token: string }, text: string | undefined) => {
  const found = await requireConsultation(deps, params)
  orNotFound(await cancel(deps.db, found.id, { text }))
  return found
}

export const senderTimeRoutes: Route[] = [
  route(contract.appointmentFile, async ({ params }, deps) => {
    const { id, appointment } = await requireConsultation(deps, params)
    const { start, end, place } = orNotFound(appointment)
    const upcoming = orNotFound(await upcomingOf(deps.db, id))
    const text = await calendarText([
      {
        uid: `${upcoming.id}@record`,
        sequence: upcoming.sequence,
        stamp: new Date().toISOString(),
        start,
        end,
        place,
        summary: `Talk with ${upcoming.host ?? brand().name}`,
        description: `Reference ${shortReference(id)}`,
      },
    ])
    return download('talk.ics', 'text/calendar', text)
  }),
  route(contract.readTimes, async ({ params, query }, deps) => ({
    data: await senderTimes(deps, await requireConsultation(deps, params), query.zone),
  })),
  route(contract.takeTime, take, { exists: isConsultation }),
  route(contract.cancelTime, async ({ params, request }, deps) => {
    await cancelAs(deps, params, undefined)
    request.afterResponse(deps.deliver())
    return { data: {} }
  }),
  route(
    contract.cancelTimeByForm,
    async ({ params, body, request }, deps) => {
      if (request.isForm && body.confirm === undefined)
        throw invalidField('confirm', 'Tick the box to cancel.')
      const found = await cancelAs(deps, params, body.text)
      request.afterResponse(deps.deliver())
      return request.isForm ? backToPage(params, found, body.zone) : { data: {} }
    },
    { exists: isConsultation },
  ),
]
