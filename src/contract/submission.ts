import * as z from 'zod/mini'
import { id, isoTimestamp } from './fields.ts'
import { limits } from './limits.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '')

// An empty field of a form is a field left out; required ones are then missing, optional ones absent.
// Consent is true or it is not there: nothing else stands for it.
const leaveOutBlanks = (body: unknown): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).filter(([name, value]) => name === 'agree' || !isBlank(value)),
      )
    : body

const clip = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const text = value.toWellFormed().replace(/\p{Cc}/gu, ' ')
  return [...text.trim()].slice(0, limits.source).join('')
}

export const sourceKeys = [
  'referrer',
  'landingPage',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'timeZone',
] as const

export type Source = Partial<Record<(typeof sourceKeys)[number], string>>

export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Pages whose address is a secret or names a record: no visit begins there, as far as staff may know. */
const PRIVATE = /^\/+(?:admin|api|preview|status)(?:\/|$)/i

const pathOf = (address: string): string => {
  const { pathname } = new URL(address.replace(/^[/\\]+/, '/'), 'http://site')
  // No path of ours has characters of several bytes; a cut one cannot be decoded.
  return pathname.replace(/%([0-7][\da-f])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** True if a path or URL leads to such a page. One that cannot be read counts as one. */
export const isPrivatePage = (address: string): boolean => {
  try {
    return PRIVATE.test(pathOf(address))
  } catch {
    return true
  }
}

const isRefused: Partial<Record<(typeof sourceKeys)[number], (text: string) => boolean>> = {
  landingPage: isPrivatePage,
  timeZone: (name) => !isTimeZone(name),
}

const readKey = (key: (typeof sourceKeys)[number], value: unknown): string | undefined => {
  const text = clip(value)
  return text && isRefused[key]?.(text) ? undefined : text
}

const readSource = (value: unknown): Source | undefined => {
  if (!isObject(value)) return undefined
  const entries = sourceKeys.flatMap((key) => {
    const text = readKey(key, value[key])
    return text ? [[key, text] as const] : []
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/**
 * The visitor's origin, and the time zone in which the sender's page shows times. A wrong type, a
 * private landing page and an unknown zone count as absent, a long value is cut.
 */
const source = z.optional(
  z
    .pipe(z.unknown(), z.transform(readSource))
    .check(z.meta({ description: `Any of ${sourceKeys.join(', ')}; long values are cut` })),
)

const elapsedMs = z.optional(
  z
    .pipe(
      z.unknown(),
      z.transform((value) =>
        typeof value === 'number' && Number.isFinite(value) ? value : undefined,
      ),
    )
    .check(z.meta({ description: 'Milliseconds from the page’s load to the sending' })),
)

/** A field that people never see. Only programs fill it in; the answer does not tell. */
const website = z.optional(
  z
    .pipe(
      z.unknown(),
      z.transform(() => true),
    )
    .check(z.meta({ description: 'Leave it out' })),
)

/** True, or absent; anything else is invalid. */
export const agree = z.optional(
  z.literal(true, { error: 'Agree to the terms and the privacy policy to go on.' }),
)

/** The body of a public form: its own fields, and what all forms carry. `prepare` sees it first. */
export const submission = <Shape extends z.core.$ZodShape>(
  shape: Shape,
  prepare: (body: unknown) => unknown = (body) => body,
) =>
  z.pipe(
    z.transform((body) => leaveOutBlanks(prepare(body))),
    z.object(
      { ...shape, source, elapsedMs, website },
      { error: 'Send the fields as a JSON object.' },
    ),
  )

export const receipt = <Extra extends z.core.$ZodShape>(extra: Extra) =>
  z.object({ data: z.object({ _id: id, createdAt: isoTimestamp, ...extra }) })
