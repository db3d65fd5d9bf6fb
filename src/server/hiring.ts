import file from '#content/hiring.json' with { type: 'json' }
import type { Hiring } from '#contract/positions.ts'

/** How applications for each position are judged, as the site's content says. */
export const hiring: Hiring = file
