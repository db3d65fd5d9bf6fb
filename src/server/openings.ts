import file from '#content/openings.json' with { type: 'json' }
import type { Openings } from '#contract/positions.ts'

/** When each position takes applications, as the site's content says. */
export const openings: Openings = file
