import type { Warning } from '#contract/stats.ts'
import type { Config } from '#server/config.ts'
import type { ReadPicture, SiteRenderer } from '#server/content/site.ts'
import type { Database } from '#server/db/drizzle.ts'
import type { Counted } from './visits/counts.ts'

/** A line of the log: facts without names, addresses, texts, tokens or passwords. */
export type LogEntry = { level: 'info' | 'warn' | 'error'; event: string } & Record<string, unknown>

/** The name that a log gives an error: its message may hold personal data. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** A prerendered page that the server fills in before it answers with it. */
export interface BuiltPage {
  html: string
  /** The Content-Security-Policy with the hashes of this page's inline blocks. */
  csp: string
}

export interface Visits {
  add: (one: Counted) => Promise<void>
  /** Stores what this process has counted, where it may. */
  fold: () => Promise<void>
}

/** Dependencies of work that needs no request. */
export interface Core {
  config: Config
  db: Database
}

export interface Deps extends Core {
  log: (entry: LogEntry) => void
  /**
   * Sends what waits in the outbox, after the answer; never throws. With `seconds`, sends again after
   * that time what was stored to leave then, if the process still runs.
   */
  deliver: (seconds?: number) => Promise<void>
  /** True if the start is over: somebody can sign in. Always so where it is left out. */
  isReady?: () => boolean
  warnings: () => Promise<Warning[]>
  /** The HTML of a page of the public site; undefined where there is none at the path. */
  publicPage: (path: string) => Promise<string | undefined>
  visits: Visits
  /** Prerendered pages by name, such as `refused/contacts`; undefined where the site was not built. */
  page: (name: string) => Promise<BuiltPage | undefined>
  /** Draws the site again; undefined where the build left nothing to draw with. */
  renderer?: SiteRenderer | undefined
  readPicture?: ReadPicture | undefined
  /** Shows a release that has just gone live. */
  contentChanged?: () => Promise<unknown>
}
