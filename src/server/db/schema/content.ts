import type { Content } from '#contract/content/collections.ts'
import type { Change, EntryProblem } from '#contract/content/desk.ts'
import { sql } from '#server/db/drizzle.ts'
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from '#server/db/pg-core.ts'
import { id, instant, isKnown, now } from './columns.ts'

/** Drafts of the site's documents. A row without a draft only keeps the entry's version. */
export const contentDrafts = pgTable(
  'content_drafts',
  {
    collection: text().notNull(),
    /** `order` for the order of the collection, whose value is the list of ids. */
    entry: text().notNull(),
    /** True if the row changes what is published. */
    isDraft: boolean('is_draft').notNull(),
    /** The drafted document; null where the entry is removed, and where there is no draft. */
    value: jsonb().$type<unknown>(),
    version: integer().notNull().default(1),
    updatedAt: instant('updated_at').notNull().default(now),
    updatedBy: text('updated_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.collection, table.entry] })],
)

const releaseStates = ['drawing', 'checking', 'published', 'failed'] as const

/**
 * Releases and attempts. The release with the latest `live_at` is live. Each names the release that
 * it replaces, and no two the same one, so that of two that finish at once one fails.
 */
export const contentReleases = pgTable(
  'content_releases',
  {
    n: integer().primaryKey(),
    at: instant('at').notNull().default(now),
    byId: uuid('by_id'),
    /** The username of the time; null for what the program published. */
    by: text(),
    note: text(),
    state: text({ enum: releaseStates }).notNull(),
    checkingAt: instant('checking_at'),
    /** The last sign of life of the process that publishes it. */
    aliveAt: instant('alive_at'),
    liveAt: instant('live_at'),
    /** The release that was live before, 0 for none; null until this one is live. */
    replaces: integer().unique(),
    /** The older release whose texts this one shows again. */
    shows: integer(),
    documents: jsonb().$type<Content>().notNull(),
    /** Former addresses of its pages, with the present ones. */
    moved: jsonb().$type<Readonly<Record<string, string>>>().notNull().default(sql`'{}'`),
    changes: jsonb().$type<readonly Omit<Change, 'problems'>[]>().notNull(),
    pages: jsonb().$type<readonly string[]>().notNull().default(sql`'[]'`),
    notices: jsonb().$type<readonly string[]>().notNull().default(sql`'[]'`),
    problems: jsonb().$type<readonly EntryProblem[]>().notNull().default(sql`'[]'`),
  },
  (table) => [isKnown('content_releases_state_known', table.state, releaseStates)],
)

/** The files of a release as one build draws them, where they differ from the build's own. */
export const contentSites = pgTable(
  'content_sites',
  {
    n: integer().notNull(),
    /** Pages name hashed files, so that each build draws a release anew. */
    build: text().notNull(),
    /** The hash of each file by its path in the site's folder; null where the release has no such file. */
    files: jsonb().$type<Record<string, string | null>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.n, table.build] })],
)

export const contentFiles = pgTable('content_files', {
  /** SHA-256 of the content, in hexadecimal. */
  hash: text().primaryKey(),
  /** The content in brotli, in base64: over HTTP a driver has no other form. */
  body: text().notNull(),
})

export const contentImages = pgTable('content_images', {
  id: id(),
  /** SHA-256 of the file, in hexadecimal: its address. */
  hash: text().notNull().unique(),
  alt: text().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  /** WebP in base64. */
  body: text().notNull(),
  at: instant('at').notNull().default(now),
  byId: uuid('by_id'),
})

export const contentPreviews = pgTable('content_previews', {
  id: id(),
  tokenHash: text('token_hash').notNull().unique(),
  path: text().notNull(),
  byId: uuid('by_id').notNull(),
  expiresAt: instant('expires_at').notNull(),
})
