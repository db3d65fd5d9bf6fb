import { limits } from '#contract/limits.ts'
import { isPrivatePage } from '#contract/submission.ts'
import type { Counted } from './counts.ts'

const MOST_PAGE = 300

/** Robots that say who they are. */
const robots =
  /(?<!cu)bot\b|crawl|spider|slurp|facebookexternalhit|meta-external|inspectiontool|mediapartners|chatgpt-user|whatsapp|lighthouse|pingdom|uptime|archiver|preview/i

const line = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/[\p{Cc}\p{Cf}]/gu, '')
        .trim()
    : ''

/** A host, also where a whole URL was sent, of an app too; nothing for what is none. */
const hostOf = (text: string): string => {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (text === '' || !URL.canParse(url)) return ''
  return new URL(url).hostname.toLowerCase().slice(0, limits.source)
}

const parse = (raw: string): Record<string, unknown> => {
  try {
    const body: unknown = JSON.parse(raw)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The visit that a beacon counts; undefined for none. */
export const readBeacon = (raw: string, headers: Headers, siteUrl: string): Counted | undefined => {
  if (headers.get('Sec-GPC') === '1' || headers.get('DNT') === '1') return undefined
  if (robots.test(headers.get('User-Agent') ?? '')) return undefined
  const { page: sent, source, campaign, wide, begun } = parse(raw)
  const page = line(sent).slice(0, MOST_PAGE)
  if (!page.startsWith('/') || isPrivatePage(page)) return undefined
  const site = new URL(siteUrl)
  const host = hostOf(line(source))
  const isBegun = begun === true
  // A step within the site is no visit.
  if (host === site.hostname && !isBegun) return undefined
  return {
    day: new Date().toISOString().slice(0, 10),
    // Resolved, since any text followed by dot segments would lead to a page.
    page: new URL(site.origin + page).pathname,
    source: [...line(campaign)].slice(0, limits.source).join('') || host || 'direct',
    wide: wide === true,
    visits: isBegun ? 0 : 1,
    begun: isBegun ? 1 : 0,
  }
}
