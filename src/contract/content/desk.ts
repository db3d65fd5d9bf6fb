import * as z from 'zod/mini'
import { isoTimestamp } from '#contract/fields.ts'
import { endpoint, type SentFile } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { longText, oneLine, plainText } from '#contract/text.ts'

/** Editing what the site says: drafts, their preview, and releases. Documents and schemas: `contract/content`. */

export const ownersOnly: readonly string[] = ['legal', 'brand']

/** `new`: not published yet. `removed`: the next release leaves it out. */
const entryStates = ['same', 'changed', 'new', 'removed'] as const
export type EntryState = (typeof entryStates)[number]

/** `drawing` and `checking` are under way; `replaced` was live. */
const releaseStates = ['drawing', 'checking', 'live', 'failed', 'replaced'] as const
export type ReleaseState = (typeof releaseStates)[number]

/** The keys and indexes that lead to a field, its own key last. */
const fieldPath = z.array(z.union([z.string(), z.number()]))

const problem = z.object({ path: fieldPath, message: z.string() })

/** A problem of an entry that is not named by the call; a page's problem without a known entry has null. */
const entryProblem = z.object({
  collection: z.nullable(z.string()),
  id: z.nullable(z.string()),
  ...problem.shape,
})
export type EntryProblem = z.output<typeof entryProblem>

const anyValue = z.unknown()

const version = z.optional(z.int('The version is a whole number.').check(z.minimum(0)))
const entryName = z.object({
  collection: plainText('The collection', 80),
  id: plainText('The entry', 80),
})

const draft = z.object({
  id: z.string(),
  /** The draft; without one, what is published. Null where the entry is removed. */
  value: anyValue,
  /** Null for what was never published. */
  published: anyValue,
  state: z.enum(entryStates),
  version: z.int(),
  problems: z.array(problem),
  /** Entries whose texts name this one, or link to its page. */
  usedBy: z.array(
    z.object({ collection: z.string(), id: z.string(), title: z.string(), label: z.string() }),
  ),
})
export type Draft = z.output<typeof draft>
const oneDraft = z.object({ data: draft })

const entryRow = z.object({
  id: z.string(),
  title: z.string(),
  /** True where a position takes applications; positions and openings have this. */
  note: z.nullable(z.string()),
  state: z.enum(entryStates),
  version: z.int(),
  updatedAt: z.nullable(isoTimestamp),
  updatedBy: z.nullable(z.string()),
  problems: z.int(),
})

const order = z.object({ ids: z.array(z.string()), version: z.int() })

const change = z.object({
  collection: z.string(),
  id: z.string(),
  title: z.string(),
  state: z.enum(entryStates),
  fields: z.array(z.object({ path: fieldPath, label: z.string(), from: anyValue, to: anyValue })),
  problems: z.array(problem),
})
export type Change = z.output<typeof change>

const release = z.object({
  n: z.int(),
  at: isoTimestamp,
  by: z.nullable(z.string()),
  note: z.nullable(z.string()),
  state: z.enum(releaseStates),
  liveAt: z.nullable(isoTimestamp),
  /** Paths of the pages that differ from the release before. */
  pages: z.array(z.string()),
  notices: z.array(z.string()),
  problems: z.array(entryProblem),
  steps: z.array(z.object({ step: z.string(), at: isoTimestamp })),
  /** The release whose texts were shown again. */
  shows: z.nullable(z.int()),
  changes: z.array(z.omit(change, { problems: true })),
})
export type Release = z.output<typeof release>
const oneRelease = z.object({ data: release })

const access = 'content.edit'

export const listCollections = endpoint('GET /api/content', {
  summary: 'The collections of the site, and how many of their entries have changed',
  access,
  output: z.object({
    data: z.array(
      z.object({
        collection: z.string(),
        label: z.string(),
        single: z.boolean(),
        entries: z.int(),
        changed: z.int(),
      }),
    ),
    meta: z.object({
      release: z.int(),
      state: z.enum(releaseStates),
      at: z.nullable(isoTimestamp),
      by: z.nullable(z.string()),
      changed: z.int(),
      canPublish: z.boolean(),
    }),
  }),
})

export const listEntries = endpoint('GET /api/content/:collection', {
  summary: 'The entries of a collection in their order, with its JSON Schema',
  access,
  output: z.object({
    data: z.array(entryRow),
    meta: z.object({ schema: z.record(z.string(), z.unknown()), version: z.int() }),
  }),
})

export const readEntry = endpoint('GET /api/content/:collection/:id', {
  summary: 'A document with its draft',
  access,
  output: oneDraft,
})

export const writeDraft = endpoint('PUT /api/content/:collection/:id', {
  summary: 'Store a draft, also one with problems',
  access,
  body: z.object({ value: anyValue, version }),
  output: oneDraft,
})

export const addEntry = endpoint('POST /api/content/:collection', {
  summary: 'Add an entry as a draft',
  access,
  body: z.object({ id: z.optional(plainText('The address', 80)), value: z.optional(anyValue) }),
  bodyOptional: true,
  output: oneDraft,
  status: 201,
  repeatable: true,
})

export const removeEntry = endpoint('DELETE /api/content/:collection/:id', {
  summary: 'Remove an entry with the next release',
  access,
})

export const orderEntries = endpoint('PUT /api/content/:collection/order', {
  summary: 'Change the order of the entries with the next release',
  access,
  body: z.object({ ids: z.array(z.string(), 'Send the ids in their order.'), version }),
  output: z.object({ data: order }),
})

export const discardDraft = endpoint('POST /api/content/:collection/:id/discard', {
  summary: 'Return an entry to what is published',
  access,
  bodyOptional: true,
  output: oneDraft,
  repeatable: true,
})

export const listChanges = endpoint('GET /api/content/changes', {
  summary: 'What the next release would change, and what it would break in other entries',
  access,
  output: z.object({
    data: z.array(change),
    meta: z.object({ problems: z.array(entryProblem) }),
  }),
})

const image = z.object({
  id: z.string(),
  width: z.int(),
  height: z.int(),
  alt: z.string(),
  /** On this site. */
  url: z.string(),
})
export type Image = z.output<typeof image>

const isFile = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'bytes' in value

export const MAX_IMAGE_BYTES = 5 * 1_048_576
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/avif'] as const

export const addImage = endpoint('POST /api/content/images', {
  summary: 'Store an image for documents, without its metadata and at most 1,600 pixels wide',
  access,
  takes: 'multipart/form-data',
  body: z.object({
    file: z.custom<SentFile>(isFile, 'Send the image as a file.'),
    alt: oneLine('The description', { max: 300 }),
  }),
  output: z.object({ data: image }),
  status: 201,
  repeatable: true,
})

export const listImages = endpoint('GET /api/content/images', {
  summary: 'The newest 500 images, newest first',
  access,
  output: z.object({ data: z.array(image) }),
})

export const readImage = endpoint('GET /media/:hash', {
  summary: 'An image of the site',
  access: 'public',
  output: z.object({}),
  produces: 'image/webp',
})

const pagePath = plainText('The path', limits.path).check(
  z.regex(/^\/(?!\/)/, 'A path begins with /.'),
)

export const previewPage = endpoint('GET /api/content/preview', {
  summary: 'A page as the drafts make it',
  access,
  query: z.object({ path: pagePath }),
  output: z.string(),
  produces: 'text/html',
})

export const addPreviewLink = endpoint('POST /api/content/preview/link', {
  summary: 'A link to a preview for somebody without an account, for 24 hours',
  access,
  body: z.object({ path: pagePath }),
  output: z.object({ data: z.object({ url: z.string(), expiresAt: isoTimestamp }) }),
  status: 201,
})

export const openPreviewLink = endpoint('GET /preview/:token', {
  summary: 'The preview that a link opens',
  access: 'public',
  /** `frame` leaves out the scripts, for a frame that may run none; `edition` makes the address another one. */
  query: z.object({ frame: z.optional(z.string()), edition: z.optional(z.string()) }),
  output: z.object({}),
  produces: 'text/html',
})

export const publish = endpoint('POST /api/content/publish', {
  summary: 'Publish all drafts, or those named',
  access: 'content.publish',
  body: z.object({
    entries: z.optional(z.array(entryName)),
    note: z.optional(z.nullable(longText('The note', { max: limits.note }))),
    release: z.int('Name the release that you have seen.').check(z.minimum(0)),
  }),
  output: oneRelease,
  status: 202,
  repeatable: true,
})

export const listReleases = endpoint('GET /api/content/releases', {
  summary: 'The newest 100 releases, newest first',
  access,
  output: z.object({ data: z.array(release) }),
})

export const readRelease = endpoint('GET /api/content/releases/:n', {
  summary: 'A release with its changes',
  access,
  output: oneRelease,
})

export const bringBack = endpoint('POST /api/content/releases/:n/bring-back', {
  summary: 'Make drafts of the texts of a release; publishes nothing',
  access,
  body: z.object({ entries: z.optional(z.array(entryName)) }),
  bodyOptional: true,
  output: z.object({ data: z.object({ changed: z.array(entryName) }) }),
  repeatable: true,
})

export const showRelease = endpoint('POST /api/content/releases/:n/show', {
  summary: 'Make an older release live again',
  access: 'content.publish',
  bodyOptional: true,
  output: oneRelease,
  repeatable: true,
})
