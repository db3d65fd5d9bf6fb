import { existsSync, readFileSync } from 'node:fs'

/** Every part of the bench by its name in `npm run bench -- NAME`, titled as `/quality` shows it. */
export const partTitles = {
  weights: 'What the first paint waits for',
  requests: 'What a page asks the network for',
  lighthouse: 'Lighthouse, on its mobile profile',
  lcp: 'On a slow phone, beside a page of one heading',
  shifts: 'Layout while fonts arrive late',
  followed: 'A link followed within the site',
  axe: 'Accessibility, by axe-core',
  engines: 'In Firefox and WebKit',
  admin: 'The inbox on a slow phone',
  headers: 'Security headers',
  build: 'Building the site',
  contacts: 'Taking submissions',
  intake: 'Taking submissions, beside a hand-written handler',
  lists: 'The inbox with 100,000 records',
  records: 'A record opened among 100,000, and a change',
  'sign-in': 'Telling known from unknown addresses by time',
  scroll: 'A list of 10,000 records while it scrolls',
  memory: 'Memory of the host',
  image: 'The image of the container',
  morning: 'A morning of thirty consultations',
  functions: 'The deployed functions',
  mails: 'Mail that comes in, of every shape',
  'mail-flood': 'Seven hundred long mails to one record',
  kills: 'Killed two hundred times while writing',
  publish: 'From an edit to the live site',
  'publish-kills': 'Killed two hundred times while publishing',
} as const

export type PartName = keyof typeof partTitles

/** The results of `npm run bench`, as `bench/results.json` holds them. */
export interface BenchResults {
  parts: Record<string, PartResult>
}

export interface PartResult {
  /** ISO 8601, UTC. */
  measuredAt: string
  machine: Machine
  rows: Row[]
  /** The values behind the rows, by page where a part measures pages. */
  details: Record<string, unknown>
}

export interface Machine {
  processors: number
  processor: string
  node: string
  /** Load average of the minute before; 0 where unknown. */
  load: number
}

/** True if the machine was too busy for its times to mean anything. */
export const wasBusy = ({ machine }: PartResult): boolean => machine.load > 2 * machine.processors

/** A row without a target is informative: it is neither met nor missed. */
export type Verdict = 'met' | 'missed' | 'informative'

export interface Row {
  what: string
  figure: string
  /** The target; for an informative row, a remark. */
  target: string
  verdict: Verdict
}

export const benchFile = 'bench/results.json'

/** Set by the build, as `BUILT_SAMPLES` is. */
declare const BUILT_BENCH: BenchResults | undefined

/** Has no parts before the first measurement. */
export const readBenchResults = (): BenchResults => {
  if (typeof BUILT_BENCH !== 'undefined') return BUILT_BENCH
  return existsSync(benchFile) ? JSON.parse(readFileSync(benchFile, 'utf8')) : { parts: {} }
}

interface PageDetails {
  weights: { document: number; stylesheets: number }
  requests: { scriptBytes: number; elsewhere: string[] }
  lighthouse: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>
  /** Compared with the time of a page with one heading. */
  lcp: { ratio: number }
}

/** Every page that a part has measured, with all values of it; undefined for those not measured. */
export const pageFigures = ({ parts }: BenchResults) => {
  const pagesOf = <Name extends keyof PageDetails>(name: Name) =>
    new Map(
      ((parts[name]?.details.pages ?? []) as ({ path: string } & PageDetails[Name])[]).map(
        (page) => [page.path, page],
      ),
    )
  const weights = pagesOf('weights')
  const requests = pagesOf('requests')
  const lighthouse = pagesOf('lighthouse')
  const lcp = pagesOf('lcp')
  const paths = new Set([weights, requests, lighthouse, lcp].flatMap((pages) => [...pages.keys()]))
  return [...paths].sort().map((path) => {
    const weight = weights.get(path)
    const scores = lighthouse.get(path)
    return {
      path,
      bytes: weight && weight.document + weight.stylesheets,
      scriptBytes: requests.get(path)?.scriptBytes,
      elsewhere: requests.get(path)?.elsewhere.length,
      lighthouse: scores && [
        scores.performance,
        scores.accessibility,
        scores['best-practices'],
        scores.seo,
      ],
      paint: lcp.get(path)?.ratio,
    }
  })
}

export type PageFigures = ReturnType<typeof pageFigures>[number]
