import { hash as digest } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { limits } from '#contract/limits.ts'
import { termsVersion } from '#contract/privacy/rules.ts'
import { isPrivatePage, type Source } from '#contract/submission.ts'
import { isLimitReached, perHour, secondsUntilFree } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import { limitsByIp } from '#server/http/ip.ts'
import type { CallRequest } from '#server/http/route.ts'
import { derived, type Fields, fieldText, type Kind, knownChoice } from '#server/kinds/kind.ts'
import { spamReasons } from '#server/kinds/spam.ts'
import { answerTime } from '#server/kinds/store/answer-days.ts'
import { isBlindRecord } from '#server/kinds/store/hidden.ts'
import { submissionMail } from '#server/mail-out/render/submission.ts'
import { findByKey, type NewRecord, storeSubmission } from './store.ts'

/** The body of a public form after its schema: the kind's own fields, and what all forms carry. */
export interface Submitted extends Record<string, unknown> {
  agree?: true
  website?: true
  elapsedMs?: number
  source?: Source
}

const hash = (text: string): string => digest('sha256', text, 'base64url')

const ownFields = (kind: Kind, body: Submitted): Fields =>
  Object.fromEntries(
    kind.fields.map((name) => [
      name,
      name === kind.choice?.field ? knownChoice(kind.choice, body[name]) : (body[name] ?? null),
    ]),
  ) as Fields

/**
 * The key that makes one record of a repeated submission. A form without a script sends no key:
 * there the same words from the same IP are a double click or a page sent again.
 */
const submissionKey = (
  fields: Fields,
  { agree, website }: Submitted,
  { idempotencyKey, isForm, ip }: CallRequest,
): NewRecord['idempotency'] => {
  if (idempotencyKey === null && !isForm) return undefined
  const bodyHash = hash(JSON.stringify([fields, agree ?? null]))
  return { key: idempotencyKey ?? `form-${hash(`${ip} ${website} ${bodyHash}`)}`, bodyHash }
}

/**
 * Drops a referrer that is a private page of this site, and keeps only the origin of another site's page with such a
 * path.
 */
const keptSource = (source: Source | undefined, siteUrl: string): Source | undefined => {
  if (!source?.referrer || !isPrivatePage(source.referrer)) return source
  const { referrer, ...others } = source
  const from = URL.parse(referrer)
  // The site may have a second name: its paths are kept under none.
  if (from?.hostname && from.hostname !== new URL(siteUrl).hostname)
    return { ...others, referrer: `${from.protocol}//${from.host}` }
  return Object.keys(others).length > 0 ? others : undefined
}

const prepare = (
  kind: Kind,
  body: Submitted,
  request: CallRequest,
  { config }: Deps,
): NewRecord => {
  const { ip } = request
  const id = uuid()
  const fields = ownFields(kind, body)
  const text = fieldText(fields[kind.longText])
  const trapped = body.website === true
  const submission = { id, fields, receivedAt: new Date() }
  return {
    id,
    fields,
    ...derived(kind, fields),
    ...(kind.owesDecision
      ? { dueAt: answerTime(fieldText(fields.position), submission.receivedAt) }
      : {}),
    source: keptSource(body.source, config.siteUrl),
    consentTerms: body.agree ? termsVersion : undefined,
    spam: spamReasons({ trapped, elapsedMs: body.elapsedMs, text }),
    idempotency: submissionKey(fields, body, request),
    limits: trapped
      ? limitsByIp(config.authSecret, 'trapped', ip, perHour(limits.trappedPerHour))
      : limitsByIp(config.authSecret, 'submission', ip, perHour(limits.submissionsPerHour)),
    ...submissionMail(
      config,
      kind,
      { ...submission, timeZone: body.source?.timeZone },
      isBlindRecord(kind, fields),
    ),
  }
}

/**
 * The one place through which every submission passes: stores it once, sets spam apart, queues mail.
 *
 * @throws HttpError `invalid` for what is closed, `conflict` for a key reused with other content,
 * `rate_limited` past the limit
 */
export const submit = async (
  kind: Kind,
  body: Submitted,
  request: CallRequest,
  deps: Deps,
): Promise<{ _id: string; createdAt: string; status: string }> => {
  const record = prepare(kind, body, request, deps)
  const status = kind.statuses[0]
  const closed = kind.closed?.(record.fields, new Date())
  if (closed) {
    // A repeat of what was stored while it was open still gets its answer.
    const { key, bodyHash } = record.idempotency ?? {}
    const earlier = key && (await findByKey(deps.db, kind, key))
    if (!earlier || earlier.bodyHash !== bodyHash)
      throw new HttpError('invalid', { fields: closed })
    return { _id: earlier.id, createdAt: earlier.createdAt, status }
  }
  const stored = await storeSubmission(deps.db, kind, record).catch(async (error: unknown) => {
    if (!isLimitReached(error)) throw error
    throw new HttpError('rate_limited', {
      message: 'Too many messages from your network. Please try again later.',
      retryAfter: await secondsUntilFree(deps.db, record.limits),
    })
  })
  if (stored) {
    if (!stored.isSpam) request.afterResponse(deps.deliver())
    return { _id: record.id, createdAt: stored.createdAt, status }
  }

  const { idempotency } = record
  if (!idempotency) throw new Error('A submission without a key was not stored')
  const earlier = await findByKey(deps.db, kind, idempotency.key)
  // Between the two statements the key ran out, or its record was erased: it is free again.
  if (!earlier) return submit(kind, body, request, deps)
  if (earlier.bodyHash !== idempotency.bodyHash)
    throw new HttpError('conflict', 'This Idempotency-Key was used for another submission.')
  return { _id: earlier.id, createdAt: earlier.createdAt, status }
}
