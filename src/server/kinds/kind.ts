import { createHash } from 'node:crypto'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { FieldErrors } from '#contract/errors.ts'
import type { KindPath } from '#contract/inbox.ts'
import type { Openings } from '#contract/positions.ts'
import type { recordColumns } from '#server/db/schema/records.ts'

/** A kind's own fields as they were parsed at the door. */
export type Fields = Readonly<Record<string, string | number | null | undefined>>

/** Any record table: the shared columns are there, the kind's own are reached by field name. */
type RecordTable = PgTable & Record<keyof ReturnType<typeof recordColumns>, AnyPgColumn>

/**
 * One kind of submission, described by data. Intake, inbox, mail, export and privacy are written once
 * and read this; a fourth kind is a contract file, a table and one of these.
 */
export interface Kind {
  path: KindPath
  table: RecordTable
  /** The public call that creates a record. */
  submit: Endpoint<string, undefined, z.ZodMiniType>
  statuses: readonly [string, ...string[]]
  /** Field names in the API for who last set the status, and when. */
  who: string
  at: string
  /** Own fields in the order of the API reference; each is a column of the same name. */
  fields: readonly string[]
  /** Fields that a search looks at. */
  searched: readonly string[]
  longText: 'message' | 'coverLetter'
  /** Whether the form asks for agreement to the terms. */
  asksConsent: boolean
  /** Fields that are valid but not accepted at this moment; undefined when all are. */
  closed?: (fields: Fields, openings: Openings, now: Date) => FieldErrors | undefined
  mail: {
    /** For staff, after the sender's name. */
    subject: (fields: Fields) => string
    /** For staff: everything needed to answer, in reading order. */
    facts: (fields: Fields) => readonly (readonly [label: string, value: string])[]
    acknowledgement: {
      subject: string
      /** What happens next; never what the sender wrote. */
      paragraphs: (fields: Fields) => readonly string[]
      /** Whether an answer within the promised hours is part of it. */
      promises: boolean
    }
  }
}

/** A field as text; nothing for an absent one. */
export const fieldText = (value: Fields[string]): string => (value == null ? '' : String(value))

/** What is stored beside the fields so that a record is found, and the same long text is known again. */
export const derived = (kind: Kind, fields: Fields): { search: string; textHash: string } => ({
  search: kind.searched.map((name) => fieldText(fields[name]).toLowerCase()).join('\n'),
  textHash: createHash('sha256').update(fieldText(fields[kind.longText])).digest('base64url'),
})
