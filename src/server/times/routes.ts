import { firstMoment, momentAfter, storedTime } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { timesLines } from '#contract/mail/message-text.ts'
import { shortReference } from '#contract/reference.ts'
import { longMoment, zoneText } from '#contract/times/moments.ts'
import * as contract from '#contract/times/times.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError, invalidField, orNotFound, pathId } from '#server/http/http-error.ts'
import { orRateLimited } from '#server/http/rate-limited.ts'
import { type Actor, type Call, type Route, route } from '#server/http/route.ts'
import { isChangeable } from '#server/inbox/store/detail.ts'
import { messageLimit, writeOne } from '#server/inbox/write.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { LINK } from '#server/mail-out/link.ts'
import { calendarText } from '#server/mail-out/render/invitation.ts'
import { textForRecord } from '#server/mail-out/render/message.ts'
import { busyUrlPurpose, decrypt, encrypt } from '#server/secrets/encrypt.ts'
import { hashTokenSecret, newTokenSecret } from '#server/secrets/token-secret.ts'
import { brand } from '#site/content.ts'
import { busyState, readNow } from './busy.ts'
import { takenTimes } from './choices.ts'
import { DAY, MINUTE } from './clock.ts'
import { freeSlots, isFree } from './slots.ts'
import * as store from './store/appointments.ts'
import { type Host, hostById, hostByName, readOwnHours, saveHours } from './store/hours.ts'

/** Calls of the staff about hours and appointments. */

const { consultations } = kindByPath

const busyUrlOf = ({ userId, busySealed }: Host, { config }: Deps): string | null => {
  const url = busySealed && decrypt(config.authSecret, busyUrlPurpose(userId), busySealed)
  return url ? contract.shownBusyUrl(url) : null
}

const hoursAnswer = async (userId: string, deps: Deps) => {
  const { host, hasFeed } = await readOwnHours(deps.db, userId)
  const data = host
    ? {
        timeZone: host.timeZone,
        weekly: host.weekly,
        minutes: host.minutes as contract.Hours['minutes'],
        buffer: host.buffer,
        noticeHours: host.noticeHours,
        horizonDays: host.horizonDays,
        place: host.place,
        busyUrl: busyUrlOf(host, deps),
      }
    : null
  return { data, meta: { busy: busyState(host), feed: hasFeed } }
}

/** The address to store: undefined keeps the present one. */
const sealedUrl = (
  busyUrl: string | null | undefined,
  host: Host | undefined,
  userId: string,
  deps: Deps,
): string | null | undefined => {
  if (busyUrl === undefined || busyUrl === null) return busyUrl
  if (host && busyUrl === busyUrlOf(host, deps)) return undefined
  if (busyUrl.endsWith('/…'))
    throw invalidField('busyUrl', 'Give the whole address of the calendar.')
  return encrypt(deps.config.authSecret, busyUrlPurpose(userId), busyUrl)
}

/** A span of a query in milliseconds: days whole and in UTC, from now on where nothing is said. */
const spanOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => {
  const begins = (text: string): number => Date.parse(firstMoment(text))
  const start = from === undefined ? Date.now() : begins(from)
  const last = to === undefined ? start + limits.hours.span * DAY : begins(to)
  const end = to === undefined ? last : Date.parse(momentAfter(to))
  if (end < start || (from !== undefined && last < start))
    throw invalidField('to', 'The end lies before the start.')
  if (last - start > limits.hours.span * DAY)
    throw invalidField('to', `Ask for ${limits.hours.span} days at most.`)
  return { from: start, to: end }
}

const requireHost = async (deps: Deps, name: string | undefined, ownId: string): Promise<Host> => {
  const host = await (name === undefined ? hostById(deps.db, ownId) : hostByName(deps.db, name))
  if (!host)
    throw invalidField(
      'host',
      name === undefined ? 'Set your hours first.' : 'The host must be someone who has set hours.',
    )
  return host
}

/** @throws HttpError `invalid` for a time that is past, named twice or not free */
const requireFree = async (
  deps: Deps,
  host: Host,
  {
    slots,
    minutes,
    actor,
    recordId,
  }: { slots: readonly string[]; minutes: number; actor: Actor; recordId: string },
): Promise<void> => {
  const refusal = async (start: string, problem: string) => {
    const { timeZone } = (await hostById(deps.db, actor.id)) ?? host
    const at = new Date(start)
    const moment = `${longMoment(at, timeZone)} (${zoneText(timeZone, at)})`
    return invalidField('slots', `${moment}: ${problem}.`)
  }
  const past = slots.find((start) => Date.parse(start) <= Date.now())
  if (past !== undefined) throw await refusal(past, 'this time is past')
  if (new Set(slots).size < slots.length) throw invalidField('slots', 'A time is named twice.')
  // The record's own talk can move to a time that overlaps it, but not to the time that it has.
  const busy = await takenTimes(deps, host, { exceptRecord: recordId })
  const own = await store.upcomingOf(deps.db, recordId)
  const taken = slots.find((start) => {
    const at = Date.parse(start)
    const end = at + minutes * MINUTE
    const isOwn =
      own?.hostId === host.userId && Date.parse(own.start) === at && Date.parse(own.end) === end
    return isOwn || !isFree([at, end], busy, host)
  })
  if (taken !== undefined) throw await refusal(taken, `${host.username} is not free then`)
}

const offer = async (call: Call<typeof contract.offerTimes>, deps: Deps) => {
  const { params, body, actor } = call
  const id = pathId(params)
  const host = await requireHost(deps, body.host, actor.id)
  const { minutes = host.minutes, slots = null } = body
  if (slots) await requireFree(deps, host, { slots, minutes, actor, recordId: id })
  const text =
    body.text ??
    (slots
      ? 'Here are some times for our talk. Choose the one that suits you.'
      : 'Choose a time for our talk that suits you.')
  const besides = {
    kind: 'times' as const,
    facts: { times: { host: host.userId, minutes, slots } },
    lines: (timeZone: string) => timesLines({ slots, place: host.place, link: LINK, timeZone }),
  }
  return writeOne(deps, consultations, id, { text, besides }, call)
}

const changeAppointment = async (
  { params, body, actor, request }: Call<typeof contract.changeAppointment>,
  deps: Deps,
) => {
  const id = pathId(params)
  const upcoming = orNotFound(await store.upcomingOf(deps.db, id))
  const isMoved = body.start !== undefined || body.host !== undefined
  if (isMoved && body.state) throw invalidField('state', 'Move the talk or cancel it, not both.')
  if (isMoved && body.text) throw invalidField('text', 'Only a cancelled talk takes a text.')
  // The sender gets mail of each change.
  const limit = messageLimit(deps, actor)
  if (body.state === 'cancelled') {
    const text = body.text && textForRecord(consultations, upcoming.fields, body.text, LINK)
    const data = orNotFound(
      await orRateLimited(deps.db, [limit], () =>
        store.cancel(deps.db, id, { by: { actor, limit }, text }),
      ),
    )
    request.afterResponse(deps.deliver())
    return { data }
  }
  if (!isMoved) throw invalidField('start', 'Name a start, a host or the state.')
  const start = body.start ?? upcoming.start
  if (Date.parse(start) <= Date.now()) throw invalidField('start', 'This time is past.')
  const present = upcoming.hostId ? await hostById(deps.db, upcoming.hostId) : undefined
  if (body.host === undefined && !present)
    throw invalidField('host', 'The host takes no talks any more. Name another one.')
  const host =
    body.host === undefined && present ? present : await requireHost(deps, body.host, actor.id)
  const length = Date.parse(upcoming.end) - Date.parse(upcoming.start)
  const busy = await takenTimes(deps, host, { exceptRecord: id, isTaking: true })
  const at = Date.parse(start)
  const taken = new HttpError('taken', `${host.username} is not free then.`)
  if (!isFree([at, at + length], busy, host)) throw taken
  const wanted = { recordId: id, host, start, minutes: length / MINUTE, actor, limit }
  const done = await orRateLimited(deps.db, [limit], () => store.book(deps.db, wanted))
  if (done === 'taken') throw taken
  if (done === 'gone') throw new HttpError('not_found')
  request.afterResponse(deps.deliver())
  return { data: done }
}

const bodyBytes = () => limits.longBodyBytes

export const timeRoutes: Route[] = [
  route(contract.readHours, ({ actor }, deps) => hoursAnswer(actor.id, deps)),
  route(contract.changeHours, async ({ actor, body }, deps) => {
    const { busyUrl, ...hours } = body
    const host = await hostById(deps.db, actor.id)
    await saveHours(deps.db, actor.id, hours, sealedUrl(busyUrl, host, actor.id, deps))
    return hoursAnswer(actor.id, deps)
  }),
  route(contract.checkCalendar, async ({ actor }, deps) => {
    const host = await hostById(deps.db, actor.id)
    if (!host || host.busySealed === null)
      throw invalidField('busyUrl', 'Give the address of your calendar first.')
    const reading = await readNow(deps, host)
    if (reading.outcome !== 'read') throw invalidField('busyUrl', reading.problem)
    const { events, busy } = reading
    const at = (time: number | undefined) =>
      time === undefined ? null : new Date(time).toISOString()
    return { data: { events, from: at(busy[0]?.[0]), to: at(busy.at(-1)?.[1]) } }
  }),
  route(contract.readSlots, async ({ actor, query }, deps) => {
    const span = spanOf(query)
    const host = await hostById(deps.db, actor.id)
    if (!host) return { data: [] }
    const busy = await takenTimes(deps, host)
    const { minutes = host.minutes } = query
    return { data: freeSlots({ ...host, minutes }, { ...span, now: Date.now(), busy }) }
  }),
  route(contract.offerTimes, offer, {
    bodyBytes,
    exists: (params, { db }) => isChangeable(db, consultations, pathId(params)),
  }),
  route(contract.changeAppointment, changeAppointment, {
    bodyBytes,
    exists: async (params, { db }) => (await store.upcomingOf(db, pathId(params))) !== undefined,
  }),
  route(contract.listAppointments, async ({ query }, { db }) => {
    const { from, to } = spanOf(query)
    return {
      data: await store.listAppointments(db, {
        from: storedTime(from),
        to: storedTime(to),
        host: query.host,
      }),
    }
  }),
  route(contract.makeCalendarLink, async ({ actor }, { db, config }) => {
    const { secret, hash } = newTokenSecret()
    await store.setCalendarLink(db, actor.id, hash)
    return { data: { url: `${config.siteUrl}/calendar/${secret}.ics` } }
  }),
  route(contract.endCalendarLink, async ({ actor }, { db }) => {
    await store.setCalendarLink(db, actor.id, null)
    return { data: {} }
  }),
]

export const calendarPages: Route[] = [
  route(contract.calendarFeed, async ({ params }, { db }) => {
    const token = orNotFound(/^([\w-]{32})\.ics$/.exec(params.token)?.[1])
    const entries = orNotFound(await store.readFeed(db, hashTokenSecret(token)))
    const text = await calendarText(
      entries.map(({ id, name, recordId, updatedAt, ...entry }) => ({
        ...entry,
        uid: `${id}@record`,
        stamp: updatedAt,
        summary: `Talk with ${name}`,
        description: `Reference ${shortReference(recordId)}`,
      })),
      { name: `Talks, ${brand().name}` },
    )
    return new Response(text, { headers: { 'Content-Type': 'text/calendar; charset=utf-8' } })
  }),
]
