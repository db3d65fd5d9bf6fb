import { hash } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import { totalsText } from '#contract/offers/money.ts'
import { type Offer, offerStates } from '#contract/offers/offer.ts'
import * as contract from '#contract/offers/offers.ts'
import { calendarDayText } from '#contract/times/moments.ts'
import type { Database } from '#server/db/drizzle.ts'
import { callIsAbout } from '#server/db/write.ts'
import type { Deps } from '#server/deps.ts'
import { listName, listPage, readCursor } from '#server/http/cursor.ts'
import { HttpError, isFound, orNotFound, pathId } from '#server/http/http-error.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import { isChangeable } from '#server/inbox/store/detail.ts'
import { inSpam, requireFound, write } from '#server/inbox/write.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { LINK } from '#server/mail-out/link.ts'
import { keyedHash } from '#server/secrets/keys.ts'
import { pageOf, requireInInbox, seeOther } from '#server/status-page/routes.ts'
import { renderAccepted, renderAnswer } from './render.ts'
import * as store from './store/offers.ts'

/** Offers: drafted and sent by staff, answered by the sender. */

const { consultations } = kindByPath

const hashOf = (offer: Parameters<typeof contract.canonicalOffer>[0]): string =>
  hash('sha256', contract.canonicalOffer(offer), 'hex')

const requireOffer = async (db: Database, params: { id: string }): Promise<Offer> => {
  const offer = orNotFound(await store.findOffer(db, pathId(params)))
  callIsAbout(db, offer.record._id)
  return offer
}

/** @throws HttpError `conflict` for what is no draft, or has another version */
const requireDraft = (offer: Offer, version: number | undefined): void => {
  if (offer.state !== 'draft')
    throw new HttpError('conflict', { message: 'A sent offer never changes.', data: offer })
  if (version !== undefined && version !== offer.version)
    throw new HttpError('conflict', { data: offer })
}

/** @throws HttpError `not_found` or `conflict`, by why a draft was not changed */
const refuseChange = async (db: Database, params: { id: string }, version?: number) => {
  const offer = await requireOffer(db, params)
  requireDraft(offer, version)
  throw new HttpError('conflict', { data: offer })
}

const exists = async (params: { id: string }, { db }: Deps): Promise<boolean> =>
  (await store.findOffer(db, pathId(params))) !== undefined

const bodyBytes = () => limits.longBodyBytes

const change = async ({ params, body, actor }: Call<typeof contract.changeOffer>, { db }: Deps) => {
  const { version, ...given } = body
  const changed = await store.changeDraft(db, pathId(params), given, { actor, version })
  return { data: changed ?? (await refuseChange(db, params, version)) }
}

const send = async (
  { params, body, actor, request }: Call<typeof contract.sendOffer>,
  deps: Deps,
) => {
  const offer = await requireOffer(deps.db, params)
  const isDraft = offer.state === 'draft'
  // A repeated call finds the offer sent: then the statement decides, which knows the key.
  if (isDraft) requireDraft(offer, body.version)
  if (isDraft && offer.validUntil < new Date().toISOString().slice(0, 10))
    throw new HttpError('conflict', 'The offer’s last day has passed. Change it first.')
  const hash = hashOf(offer)
  const besides = {
    kind: 'offer_sent' as const,
    facts: { offer: offer._id },
    lines: () => [
      `${offer.title}: ${totalsText(offer.totals, offer.currency)}, valid until ${calendarDayText(offer.validUntil)}.`,
      `Read it and answer: ${LINK}/offers/${offer._id}`,
    ],
    steps: store.sendSteps(offer, hash),
  }
  const text = body.text ?? 'Here is our offer to you. Take your time, and ask us anything.'
  const written = write(deps, consultations, [offer.record._id], { text, besides }, { actor })
  const outcome = await written.catch((error: unknown) => {
    if (!store.isNothingSent(error)) throw error
    return refuseChange(deps.db, params, body.version)
  })
  if (outcome.event === null) requireDraft(offer, body.version)
  requireFound(outcome)
  if (outcome.event === null) throw inSpam()
  request.afterResponse(deps.deliver(limits.messageDelaySeconds))
  return { data: await requireOffer(deps.db, params), meta: { event: outcome.event } }
}

const list = async ({ query }: Call<typeof contract.listOffers>, { db }: Deps) => {
  const { state, days, q, from, to, sort, limit = limits.page.default, cursor } = query
  const order = sort === 'createdAt' ? sort : undefined
  const name = listName('offers', state, days, q, from, to, order)
  const found = await store.listOffers(db, query, {
    count: limit + 1,
    after: cursor === undefined ? undefined : readCursor(name, cursor).id,
  })
  const { data, meta } = listPage(name, found.offers, limit)
  const counts = Object.fromEntries(offerStates.map((one) => [one, found.counts[one] ?? 0]))
  const counted = state ? [counts[state] ?? 0] : Object.values(counts)
  const matching = counted.reduce((sum, count) => sum + count, 0)
  return { data, meta: { total: found.total, matching, counts, ...meta } }
}

const senderOffer = ({ _id, record, version, by, answer, ...shown }: Offer): contract.SenderOffer =>
  shown

export const requireSentOffer = async (deps: Deps, params: { token: string; id: string }) => {
  const found = await requireInInbox(deps, params)
  const offer = orNotFound(await store.readSentOffer(deps.db, found.id, pathId(params)))
  return { found, offer }
}

type Given = Call<typeof contract.answerOffer>['body']

/** True if a form's answer is stored already: the same click came twice. */
const isAnsweredBy = ({ state, hash, answer: stored }: Offer, given: Given): boolean =>
  state === (given.answer === 'accept' ? 'accepted' : 'declined') &&
  hash === given.hash &&
  (given.answer === 'decline' || stored?.name === given.name) &&
  stored?.text === (given.text ?? null)

const answer = async ({ params, body, request }: Call<typeof contract.answerOffer>, deps: Deps) => {
  const { found, offer } = await requireSentOffer(deps, params)
  const seePage = () => seeOther(pageOf(params, `/offers/${offer._id}`))
  const closed = (present: Offer): Response => {
    if (request.isForm && isAnsweredBy(present, body)) return seePage()
    throw new HttpError('closed', { data: senderOffer(present) })
  }
  if (offer.state !== 'sent' || found.withdrawnAt !== null) return closed(offer)
  if (body.hash !== offer.hash) throw new HttpError('conflict', { data: senderOffer(offer) })
  const { siteUrl, authSecret } = deps.config
  const given = {
    record: found.id,
    answer: body.answer,
    name: body.answer === 'accept' ? (body.name ?? null) : null,
    text: body.text ?? null,
    at: new Date(),
  }
  const isStored = await store.answerOffer(deps, offer, given, {
    ip: keyedHash(authSecret, `offer:${request.ip}`),
    sender: body.answer === 'accept' ? renderAccepted(senderOffer(offer), given) : null,
    staff: renderAnswer(senderOffer(offer), given, siteUrl),
  })
  if (!isStored) return closed((await requireSentOffer(deps, params)).offer)
  request.afterResponse(deps.deliver())
  if (request.isForm) return seePage()
  return { data: senderOffer((await requireSentOffer(deps, params)).offer) }
}

export const offerRoutes: Route[] = [
  route(
    contract.draftOffer,
    async ({ params, body, actor }, { db }) => {
      const id = pathId(params)
      const added = await store.addDraft(db, id, body, actor)
      if (!added && (await isChangeable(db, consultations, id))) throw inSpam()
      return { data: orNotFound(added) }
    },
    { exists: (params, { db }) => isChangeable(db, consultations, pathId(params)), bodyBytes },
  ),
  route(contract.changeOffer, change, { exists, bodyBytes }),
  route(
    contract.deleteOffer,
    async ({ params, body, actor }, { db }) => {
      const { version } = body
      if (await store.removeOffer(db, pathId(params), { actor, version })) return { data: {} }
      return refuseChange(db, params, version)
    },
    { exists },
  ),
  route(contract.sendOffer, send, { exists, bodyBytes }),
  route(contract.replaceOffer, async ({ params, actor }, { db }) => {
    const offer = await requireOffer(db, params)
    if (offer.state === 'draft')
      throw new HttpError('conflict', { message: 'A draft can be changed as it is.', data: offer })
    const added = await store.addReplacement(db, offer._id, actor)
    if (!added && (await isChangeable(db, consultations, offer.record._id))) throw inSpam()
    return { data: orNotFound(added) }
  }),
  route(contract.listOffers, list),
  route(contract.findOffer, async ({ params }, { db }) => ({
    data: orNotFound(await store.findListed(db, pathId(params))),
  })),
  route(contract.readOffer, async ({ params }, deps) => ({
    data: senderOffer((await requireSentOffer(deps, params)).offer),
  })),
  route(contract.answerOffer, answer, {
    bodyBytes,
    exists: (params, deps) => isFound(requireSentOffer(deps, params)),
  }),
]
