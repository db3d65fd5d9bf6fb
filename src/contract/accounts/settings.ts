import * as z from 'zod/mini'
import { flag } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { longText, oneLine } from '#contract/text.ts'

export const digests = ['off', 'daily'] as const
export const densities = ['compact', 'comfortable'] as const

const settings = z.object({
  /** The mail each day on what is owed, what came and what failed. */
  digest: z.enum(digests),
  density: z.enum(densities),
  /** True if single keys act in the admin. */
  shortcuts: z.boolean(),
  /** The name that senders see; null if mail is signed by the brand alone. */
  displayName: z.nullable(z.string()),
  signature: z.string(),
})
export type Settings = z.output<typeof settings>

export const defaultSettings: Settings = {
  digest: 'off',
  density: 'compact',
  shortcuts: true,
  displayName: null,
  signature: '',
}

export const readSettings = endpoint('GET /api/me/settings', {
  summary: 'One’s own settings',
  access: 'records.read',
  output: z.object({
    data: z.object({
      ...settings.shape,
      /** The key for push subscriptions; null without push. */
      vapidPublicKey: z.nullable(z.string()),
    }),
  }),
})

export const changeSettings = endpoint('PUT /api/me/settings', {
  summary: 'Change one’s own settings; what is left out stays',
  access: 'records.read',
  body: z.object({
    digest: z.optional(z.enum(digests, { error: 'The digest is off or daily.' })),
    density: z.optional(z.enum(densities, { error: 'The density is compact or comfortable.' })),
    shortcuts: z.optional(flag),
    displayName: z.optional(z.nullable(oneLine('The name', { max: limits.displayName }))),
    signature: z.optional(longText('The signature', { min: 0, max: limits.signature })),
  }),
  output: z.object({ data: settings }),
})
