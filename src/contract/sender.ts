import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { appointment } from '#contract/times/appointment.ts'
import { applicationFields } from './applications.ts'
import { consultationFields } from './consultations.ts'
import { contactFields } from './contacts.ts'
import { email, id, isoTimestamp } from './fields.ts'
import { absentIfBlank, type KindPath, kindPaths } from './inbox.ts'
import { limits } from './limits.ts'
import { longText } from './text.ts'

/** The sender's own page of a record, by the token of a link that came by mail. No account. */

const message = z.object({
  at: isoTimestamp,
  from: z.enum(['you', 'us']),
  text: z.string(),
  /** The author of our message, if they want to be known. */
  name: z.optional(z.nullable(z.string())),
})

const senderRecord = z.object({
  kind: z.enum(kindPaths),
  reference: z.string(),
  createdAt: isoTimestamp,
  /** The submitted values by the names of the form's fields. */
  fields: z.record(z.string(), z.unknown()),
  /** An application's is `reviewing` until the decision was written about. */
  status: z.string(),
  /** Until when an answer is promised; null where nothing is owed. */
  dueAt: z.nullable(isoTimestamp),
  seenAt: z.nullable(isoTimestamp),
  withdrawnAt: z.nullable(isoTimestamp),
  /** The newest, or those before the one that `before` names, oldest first. */
  messages: z.array(message),
  /** Consultations only: the last one; null before the first. */
  appointment: z.nullable(appointment),
  /** The cursor for `before`; null if there are no older ones. */
  older: z.nullable(z.string()),
})
export type SenderRecord = z.output<typeof senderRecord>

export const readStatus = endpoint('GET /api/status/:token', {
  summary: 'What a sender sees of their submission',
  access: 'public',
  query: z.object({ before: absentIfBlank(id) }),
  output: z.object({ data: senderRecord }),
})

export const replyAsSender = endpoint('POST /api/status/:token/messages', {
  summary: `Write to staff; ${limits.repliesPerDay} times a day`,
  access: 'public',
  body: z.object({
    text: longText('Message', { max: limits.reply }),
    /** The zone of the page that a form leads back to. */
    zone: z.optional(z.unknown()),
  }),
  output: z.object({ data: message }),
  status: 201,
  form: true,
  repeatable: true,
})

export const correctAsSender = endpoint('POST /api/status/:token/correct', {
  summary: `Correct what was sent: the form’s fields but the e-mail; absent ones stay; ${limits.correctionsPerDay} times a day`,
  access: 'public',
  body: z.record(z.string(), z.unknown(), { error: 'Send the fields as a JSON object.' }),
  output: z.object({ data: senderRecord }),
  form: true,
  repeatable: true,
})

export const withdrawAsSender = endpoint('POST /api/status/:token/withdraw', {
  summary: 'Withdraw the submission; a later reply takes that back',
  access: 'public',
  body: z.object({ confirm: z.optional(z.unknown()) }),
  bodyOptional: true,
  form: true,
  repeatable: true,
})

export const requestCode = endpoint('POST /api/status/:token/code', {
  summary: `Have a code mailed; ${limits.senderCode.perHour} in an hour`,
  access: 'public',
  body: z.object({ for: z.optional(z.unknown()) }),
  bodyOptional: true,
  form: true,
  repeatable: true,
})

const code = z.object({
  code: z.string({ error: 'Code is missing.' }).check(
    z.overwrite((value) => value.replace(/\s/g, '')),
    z.regex(/^\d{8}$/, `The code has ${limits.senderCode.digits} digits.`),
  ),
})

export const exportAsSender = endpoint('POST /api/status/:token/export', {
  summary: 'Everything held on the submission, for the mailed code',
  access: 'public',
  body: code,
  output: z.object({ data: z.record(z.string(), z.unknown()) }),
  form: true,
  repeatable: true,
})

export const eraseAsSender = endpoint('POST /api/status/:token/erase', {
  summary: 'Remove the submission for good, for the mailed code',
  access: 'public',
  body: code,
  form: true,
  repeatable: true,
})

export const preferredDayFile = endpoint('GET /api/status/:token/preferred-date.ics', {
  summary: 'The preferred day of a consultation for a calendar',
  access: 'public',
  output: z.string(),
  produces: 'text/calendar',
})

export const requestLinks = endpoint('POST /api/status', {
  summary: `Have the links of the last ${limits.senderLinks} submissions mailed; the same answer for every address`,
  access: 'public',
  body: z.object({ email }),
  form: true,
  repeatable: true,
})

const isOptional = (schema: z.ZodMiniType): schema is z.ZodMiniOptional<z.ZodMiniType> =>
  schema._zod.def.type === 'optional'

/** A form's fields as they may be corrected: each may be absent, an optional one may be null. */
const corrections = (shape: Readonly<Record<string, z.ZodMiniType>>) =>
  z.object(
    Object.fromEntries(
      Object.entries(shape)
        .filter(([name]) => name !== 'email')
        .map(([name, schema]) => [
          name,
          isOptional(schema)
            ? z.optional(z.nullable(schema._zod.def.innerType))
            : z.optional(schema),
        ]),
    ),
  )

export const correctionOf: Readonly<Record<KindPath, z.ZodMiniType<Record<string, unknown>>>> = {
  contacts: corrections(contactFields),
  consultations: corrections(consultationFields),
  applications: corrections(applicationFields),
}
