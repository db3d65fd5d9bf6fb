import * as z from 'zod/mini'
import { endpoint } from '#contract/http/endpoint.ts'
import { flag } from './fields.ts'

const settings = z.object({
  agents: flag,
  visits: flag,
})
export type SiteSettings = z.output<typeof settings>

/** The settings of an installation in which nobody has changed any. */
export const defaultSiteSettings: SiteSettings = { agents: false, visits: true }

const output = z.object({ data: settings })

export const readSiteSettings = endpoint('GET /api/settings', {
  summary: 'Switches for the whole installation',
  access: 'users.manage',
  output,
})

export const changeSiteSettings = endpoint('PUT /api/settings', {
  summary: 'Change switches; what is left out stays',
  access: 'users.manage',
  stepUp: true,
  body: z.object({ agents: z.optional(flag), visits: z.optional(flag) }),
  output,
})
