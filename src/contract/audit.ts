import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, isoTimestamp } from './fields.ts'
import { plainText } from './text.ts'

/** What staff did: names of fields, no personal content. */

const entry = z.object({
  _id: id,
  at: isoTimestamp,
  by: z.nullable(z.string()),
  kind: z.string(),
  target: z.nullable(z.object({ kind: z.string(), _id: z.nullable(z.string()) })),
  fields: z.array(z.string()),
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
