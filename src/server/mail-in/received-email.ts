import type { GetReceivingEmailResponseSuccess as ReceivedEmail } from 'resend'
import type { Config } from '#server/config.ts'
import { timeLeft } from '#server/db/time-limit.ts'
import { HttpError } from '#server/http/http-error.ts'

const TIMEOUT_MS = 8_000

/** The share of a call's time that the provider may take: the rest is for storing the mail. */
const PROVIDER_SHARE = 0.6

/** A calendar's answer takes some kilobytes. */
const MAX_CALENDAR_BYTES = 65_536

/** A calendar's answer, by the id of its attachment. */
interface Calendar {
  id: string
  text: string
}

const unavailable = () => new HttpError('unavailable', { retryAfter: 300 })

/**
 * Asks Resend for a mail that it told of, and for the calendar file in it.
 *
 * @throws HttpError `unavailable` where it does not answer within the time limit: it tells again later
 */
const fetchEmail = async (
  { mail }: Config,
  id: string,
): Promise<ReceivedEmail & { calendar: Calendar | null }> => {
  if (!mail.resendApiKey) throw unavailable()
  const { Resend } = await import('resend')
  const options = mail.resendBaseUrl ? { baseUrl: mail.resendBaseUrl } : {}
  const resend = new Resend(mail.resendApiKey, options)
  // Inline pictures stay out of the HTML. The signal is passed on to fetch, though the type lacks it.
  const milliseconds = Math.floor(Math.min(TIMEOUT_MS, timeLeft() * PROVIDER_SHARE))
  const request = { signal: AbortSignal.timeout(milliseconds) } as object
  const { receiving } = resend.emails
  const { data: email } = await receiving.get(id, { html_format: 'cid' }, request)
  if (!email) throw unavailable()
  const file = email.attachments?.find(
    ({ content_type, size }) =>
      /^(?:text\/calendar|application\/ics)\b/i.test(content_type) && size <= MAX_CALENDAR_BYTES,
  )
  if (!file) return { ...email, calendar: null }
  // The mail is worth more than the file: without it the mail is kept as it is.
  const read = async (): Promise<Calendar | null> => {
    const { data } = await receiving.attachments.get({ emailId: id, id: file.id }, request)
    const answer = data && (await fetch(data.download_url, request))
    return answer?.ok ? { id: file.id, text: await answer.text() } : null
  }
  return { ...email, calendar: await read().catch(() => null) }
}

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

const part = (type: string, text: string | null): string =>
  text === null
    ? ''
    : `--part\nContent-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n')}\n`

/** The mail in the form in which mail servers deliver it, without its attachments but a calendar's answer. */
const asMail = (email: ReceivedEmail, calendar: Calendar | null): Uint8Array => {
  const named = Object.entries(email.headers ?? {})
  const lacking = ([name]: [string, string]): boolean =>
    !named.some(([other]) => other.toLowerCase() === name.toLowerCase())
  const fallback: [string, string][] = [
    ['From', email.from],
    ['To', email.to.join(', ')],
    ['Cc', (email.cc ?? []).join(', ')],
    ['Subject', email.subject],
    ['Message-ID', email.message_id],
    ['Date', email.created_at],
  ]
  const isReport = named.some(
    ([name, value]) => /^content-type$/i.test(name) && /^multipart\/report/i.test(value),
  )
  const headers = [
    ...named.filter(([name]) => !/^(?:content-|mime-version)/i.test(name)),
    ...fallback.filter(lacking),
    ...(email.received_for ?? []).map((to) => ['X-Original-To', to] as const),
    ...(isReport ? ([['Auto-Submitted', 'auto-replied']] as const) : []),
    ['Content-Type', 'multipart/alternative; boundary=part'] as const,
  ]
  const header = headers.map(([name, value]) => `${name}: ${oneLine(String(value))}\n`).join('')
  const parts =
    part('text/plain', email.text) +
    part('text/html', email.html) +
    part('text/calendar', calendar?.text ?? null)
  return Buffer.from(`${header}\n${parts}--part--\n`)
}

export const fetchReceived = async (config: Config, id: string) => {
  const email = await fetchEmail(config, id)
  // The calendar is a part of the mail, which is named as an attachment itself.
  const others = (email.attachments ?? []).filter(({ id }) => id !== email.calendar?.id)
  const attachments = others.map(({ filename, content_type, size }) => ({
    name: filename ?? content_type,
    bytes: size,
  }))
  return { raw: asMail(email, email.calendar), attachments }
}
