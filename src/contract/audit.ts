import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { id, isoTimestamp } from './fields.ts'
import { plainText } from './text.ts'

/** What staff did, and what the program did by itself: names of fields, no personal content. */

/** What a value was and is; null where there was or is no account. */
const change = z.tuple([z.nullable(z.string()), z.nullable(z.string())])

export const details = z.object({
  /** Of an account. A new e-mail or password is named in `fields` only. */
  changes: z.optional(z.object({ username: z.optional(change), role: z.optional(change) })),
  /** Of a refused sign-in: the e-mail and the IP as keyed hashes, the same for the same. */
  emailHash: z.optional(z.string()),
  ipHash: z.optional(z.string()),
  /** The name of the token that a program acted with. */
  token: z.optional(z.string()),
  /** How many there were of each kind. */
  counts: z.optional(z.record(z.string(), z.int())),
})
export type AuditDetails = z.output<typeof details>

export const entry = z.object({
  _id: id,
  at: isoTimestamp,
  /** The username of the time; null for what the program did. */
  by: z.nullable(z.string()),
  /** Stays when the user is renamed, and when the account is deleted. */
  byId: z.nullable(id),
  /** What made the program act: its start, a command on its machine, or the rules of retention. */
  via: z.optional(z.enum(['start', 'command', 'retention'])),
  kind: z.string(),
  target: z.nullable(z.object({ kind: z.string(), _id: z.nullable(z.string()) })),
  fields: z.array(z.string()),
  ...details.shape,
})
export type AuditEntry = z.output<typeof entry>

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  summary: 'The audit log, newest first',
  access: 'audit.read',
  query: z.object({ cursor: z.optional(plainText('The cursor', 1_000)) }),
  output: z.object({
    data: z.array(entry),
    meta: z.object({ nextCursor: z.nullable(z.string()) }),
  }),
})
