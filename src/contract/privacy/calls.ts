import * as z from 'zod/mini'
import { email, id, isoTimestamp } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { blind, kindPaths } from '#contract/inbox.ts'

/** One person's data, and what the retention rules will erase next. */

const person = z.object({ email })

export const exportPerson = endpoint('POST /api/privacy/export', {
  summary: 'Everything held on an address',
  access: 'privacy.manage',
  stepUp: true,
  body: person,
  output: z.object({ data: z.record(z.string(), z.unknown()) }),
})

export const erasePerson = endpoint('POST /api/privacy/erase', {
  summary: 'Remove everything held on an address; answers how much went, by table',
  access: 'privacy.manage',
  stepUp: true,
  body: person,
  output: z.object({
    data: z.record(z.string(), z.int()),
    meta: z.object({
      /** Names of templates that hold the address; staff change them by hand. */
      templates: z.array(z.string()),
    }),
  }),
})

export const retentionPreview = endpoint('GET /api/privacy/retention', {
  summary: 'Records that the retention rules will erase within a week',
  access: 'records.read',
  query: z.object({ blind }),
  output: z.object({
    data: z.array(
      z.object({
        kind: z.enum(kindPaths),
        _id: id,
        /** Left out of a blind answer where it is hidden. */
        name: z.optional(z.string()),
        /** In place of it. */
        candidate: z.optional(z.int()),
        expiresAt: isoTimestamp,
      }),
    ),
  }),
})
