import { v7 as uuid } from 'uuid'
import { limits } from '#contract/limits.ts'
import type { Placed } from '#contract/mail/inbound.ts'
import type { Config } from '#server/config.ts'
import { addReply } from '#server/conversation/store.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { CallRequest } from '#server/http/route.ts'
import { type NewRecord, storeSubmission } from '#server/intake/store.ts'
import { derived, textHash } from '#server/kinds/kind.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { spamReasons } from '#server/kinds/spam.ts'
import { bareAddress } from '#server/mail-out/message.ts'
import { submissionMail } from '#server/mail-out/render/submission.ts'
import { type Allowance, countMail } from './allowance.ts'
import { type IncomingMail, isWordless } from './parse.ts'
import { announceFlood } from './store/flood.ts'
import { claimMail, findPlace, type Place } from './store/place.ts'
import { recordBounces } from './store/reports.ts'

/** The same mail at the same time, or a record that is erased meanwhile: then it is looked for again. */
const ATTEMPTS = 3

/**
 * Keeps a mail: on the record that it belongs to, else as a contact. A mail that was kept before is
 * found again. Each step can be repeated, and the last one keeps the mail whole, so that a server
 * which delivers it again after a crash loses and doubles nothing.
 *
 * @throws HttpError `invalid` without a usable sender
 */
export const receive = async (
  mail: IncomingMail,
  request: Pick<CallRequest, 'afterResponse'>,
  deps: Deps,
): Promise<Placed> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { earlier, record } = await findPlace(deps.db, mail)
    if (earlier) return earlier
    if (mail.undelivered.length > 0) await recordBounces(deps.db, mail.undelivered)
    const allowance = await countMail(deps, mail, record)
    const kept = { ...mail, text: allowance.isWhole ? mail.text : firstOf(mail.text) }
    const placed = record
      ? await keepOnRecord(kept, record, allowance, deps)
      : await keepAsContact(kept, allowance, deps)
    if (!placed) continue
    if (!mail.isAutomatic) request.afterResponse(deps.deliver())
    return placed
  }
  throw new HttpError('unavailable', { retryAfter: 60 })
}

const unusableSender = () => new HttpError('invalid', 'The mail names no usable sender in From.')

const firstOf = (text: string): string => [...text].slice(0, limits.mailIn.cut).join('')

const factsOf = ({ subject, verified, attendance }: IncomingMail, { isWhole }: Allowance) => ({
  verified,
  ...(attendance ? { attendance: attendance.answer } : {}),
  ...(subject ? { subject } : {}),
  ...(isWhole ? {} : { cut: true }),
})

const keepOnRecord = async (
  mail: IncomingMail,
  record: NonNullable<Place['record']>,
  allowance: Allowance,
  deps: Deps,
): Promise<Placed | undefined> => {
  // A mail server that reports a failure may sign with a name alone.
  if (!mail.from && mail.undelivered.length === 0) throw unusableSender()
  const as = mail.isAutomatic ? 'auto' : 'reply'
  const placed: Placed = { kind: record.kind, _id: record.id, as }
  // An unconfirmed sender may be anybody.
  const isOwn =
    !mail.from ||
    (mail.verified !== false && mail.from.email.toLowerCase() === record.email.toLowerCase())
  const stored = await addReply(deps, kindByPath[record.kind], record.id, {
    kind: as,
    text: mail.text,
    from: isOwn ? undefined : mail.from?.email,
    facts: factsOf(mail, allowance),
    isAnnounced: allowance.isAnnounced,
    inTrash: true,
    ...(isOwn && mail.from && mail.attendance ? { attendance: mail.attendance } : {}),
    claim: claimMail(mail.fingerprint, placed, { isReply: true }),
  })
  return stored && placed
}

const keepAsContact = async (mail: IncomingMail, allowance: Allowance, { db, config }: Deps) => {
  if (!mail.from) throw unusableSender()
  const placed: Placed = {
    kind: 'contacts',
    _id: uuid(),
    as: mail.isAutomatic ? 'auto' : 'contact',
  }
  const contact = newContact(placed._id, { ...mail, from: mail.from }, allowance, config)
  const claim = claimMail(mail.fingerprint, placed, { isReply: false })
  const stored = await storeSubmission(db, kindByPath.contacts, { ...contact, claim })
  if (stored && allowance.isFlood && allowance.isAnnounced) await announceFlood(db, config)
  return stored && placed
}

const newContact = (
  id: string,
  mail: IncomingMail & { from: { name: string; email: string } },
  allowance: Allowance,
  config: Config,
): NewRecord => {
  const { from, text, isAutomatic } = mail
  const { isFlood } = allowance
  const kind = kindByPath.contacts
  const fields = { ...from, message: text }
  const signals = spamReasons({ trapped: false, elapsedMs: undefined, text })
  const mails = submissionMail(config, kind, { id, fields, receivedAt: new Date() })
  const isAnswered =
    !isAutomatic && !isFlood && mail.verified !== false && !isOurs(from.email, config)
  return {
    id,
    fields,
    ...derived(kind, fields),
    // Mails of a subject alone repeat none of another sender.
    ...(isWordless(text)
      ? { textHash: textHash(JSON.stringify([from.email.toLowerCase(), mail.subject, text])) }
      : {}),
    source: { utm_source: 'mail' },
    ...(isAutomatic ? { dueAt: null } : {}),
    consentTerms: undefined,
    spam: [
      ...signals,
      ...(isAutomatic ? ['auto' as const] : []),
      ...(isFlood ? ['flood' as const] : []),
    ],
    idempotency: undefined,
    facts: factsOf(mail, allowance),
    limits: [],
    isAnnounced: allowance.isAnnounced && !isFlood,
    ...mails,
    acknowledgement: isAnswered ? mails.acknowledgement : null,
  }
}

/** True if an address is one that the product itself writes from: an answer would come back. */
const isOurs = (email: string, { mail }: Config): boolean => {
  const address = email.toLowerCase()
  const own = bareAddress(mail.from).toLowerCase()
  return address === own || address.endsWith(`@${mail.replyDomain ?? ''}`)
}
