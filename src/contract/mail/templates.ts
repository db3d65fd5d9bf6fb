import * as z from 'zod/mini'
import { id, version } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { kindPaths } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { checkedText, longText, oneLine } from '#contract/text.ts'
import { placeholderProblem } from './placeholders.ts'

/** Texts that staff save to reply with; their placeholders are filled in where they are used. */

const fields = {
  name: oneLine('Name', { max: limits.templateName }),
  text: checkedText(longText('The text', { max: limits.staffMessage }), placeholderProblem),
}

const kind = z.optional(z.nullable(z.enum(kindPaths, { error: 'Unknown kind.' })))

const template = z.object({
  _id: id,
  name: z.string(),
  text: z.string(),
  kind: z.nullable(z.enum(kindPaths)),
  version: z.int(),
})
export type Template = z.output<typeof template>

const one = z.object({ data: template })

export const listTemplates = endpoint('GET /api/templates', {
  summary: 'Templates, by name',
  access: 'records.change',
  scope: 'read',
  output: z.object({ data: z.array(template) }),
})

export const addTemplate = endpoint('POST /api/templates', {
  summary: 'Save a template',
  access: 'records.change',
  body: z.object({ ...fields, kind }),
  output: one,
  status: 201,
  repeatable: true,
})

export const changeTemplate = endpoint('PUT /api/templates/:id', {
  summary: 'Change a template; what is left out stays. A stale version: 409 with the stored one',
  access: 'records.change',
  body: z.partial(z.object({ ...fields, kind, version })),
  output: one,
})

export const removeTemplate = endpoint('DELETE /api/templates/:id', {
  summary: 'Delete a template',
  access: 'records.change',
})
