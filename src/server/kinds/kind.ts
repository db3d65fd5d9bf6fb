import { hash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/http/endpoint.ts'
import type { FieldErrors } from '#contract/http/errors.ts'
import type { FieldName, FieldValues, KindPath, Step } from '#contract/inbox.ts'
import { mailNouns } from '#contract/mail/message-text.ts'
import type { Plan } from '#contract/plan.ts'
import type { AnyPgColumn, PgTable } from '#server/db/pg-core.ts'
import type { recordColumns } from '#server/db/schema/records.ts'

/** A field that names an entry of the content. The record keeps what it was called, as it may be called otherwise later. */
interface Choice<Field extends string = string> {
  field: Field
  /** The id that stands for everything outside the list. */
  other: string
  ids(): readonly string[]
  label(id: string): string
}

export type Fields = Readonly<Record<string, string | number | Plan | null | undefined>>

type RecordTable = PgTable & Record<keyof ReturnType<typeof recordColumns>, AnyPgColumn>

/** The parts of a kind's contract that the server needs. */
interface KindContract {
  path: KindPath
  steps: Readonly<Record<string, Step>>
  statuses: readonly [string, ...string[]]
  promisedIn: string | null
  fields: z.core.$ZodShape
  fieldNames: readonly string[]
  labels: Readonly<Record<string, string>>
  who: string
  at: string
  hidden?: readonly PropertyKey[]
}

/**
 * The server's description of a kind. Every name of a field or status is checked against the
 * contract. Functions are methods, so that a description of one kind also is one of any kind: the
 * code that is written once gives each kind its own fields only.
 */
interface KindDescription<K extends KindContract> {
  table: RecordTable & Record<FieldName<K>, AnyPgColumn>
  submit: Endpoint<string, undefined, z.ZodMiniType>
  searched: readonly FieldName<K>[]
  longText: FieldName<K>
  choice?: Choice<FieldName<K>>
  /** The values that mails do not show as they are stored. */
  shown?(fields: FieldValues<K>): { readonly [Name in FieldName<K>]?: string }
  /** Fields that are valid but not accepted at this moment; undefined when all are. */
  closed?(fields: FieldValues<K>, now: Date): FieldErrors | undefined
  isScored?: boolean
  /**
   * True if an answer is owed until a message has told the decision, whatever was written before.
   */
  owesDecision?: boolean
  mail: {
    /** For staff, after the sender's name. */
    subject(fields: FieldValues<K>): string
    /** For staff: everything needed to answer, in reading order. */
    facts: readonly FieldName<K>[]
    acknowledgement: {
      subject: string
      /** The next steps in words; never the sender's own text. */
      paragraphs(fields: FieldValues<K>): readonly string[]
      prepare?: string
    }
  }
}

type DescribedKind<K extends KindContract> = Omit<KindDescription<K>, 'table'> &
  Pick<K, 'path' | 'statuses' | 'promisedIn' | 'labels' | 'who' | 'at'> & {
    table: RecordTable
    /** The sender's word for it, with a capital: "Application". */
    noun: string
    /** Own fields in the order of the API reference. */
    fields: readonly FieldName<K>[]
    statusLabels: Readonly<Record<string, string>>
    /** Statuses after which nothing is left to do. */
    finalStatuses: readonly string[]
    asksConsent: boolean
    /** Fields that a blind answer leaves out. */
    hidden: readonly string[]
  }

/**
 * Any kind of submission. Intake, inbox, mail, export and privacy are written once and read this; a
 * fourth kind is a contract file, a table and a description.
 */
export type Kind = DescribedKind<KindContract>

export const describeKind = <K extends KindContract>(
  contract: K,
  description: KindDescription<K>,
): DescribedKind<K> => {
  const fields = contract.fieldNames as readonly FieldName<K>[]
  return {
    ...contract,
    noun: mailNouns[contract.path],
    fields,
    statusLabels: Object.fromEntries(
      Object.entries(contract.steps).map(([status, { label }]) => [status, label]),
    ),
    finalStatuses: Object.entries(contract.steps).flatMap(([status, { stage }]) =>
      stage === 'done' || stage === 'closed' ? [status] : [],
    ),
    asksConsent: 'consent' in contract.fields,
    hidden: (contract.hidden ?? []).map(String),
    ...description,
  }
}

/** The id of a choice, or the kind's `other` for an id that the content does not have (contract, section 3). */
export const knownChoice = ({ ids, other }: Choice, id: unknown): string =>
  typeof id === 'string' && ids().includes(id) ? id : other

/** The kept label of the choice, else the present one. */
export const choiceLabel = ({ field, label }: Choice, fields: Fields): string =>
  fieldText(fields[`${field}Label`]) || label(fieldText(fields[field]))

/** A field as text; nothing for an absent one, or one that is no text. */
export const fieldText = (value: Fields[string]): string =>
  value == null || typeof value === 'object' ? '' : String(value)

export const labelledFacts = (kind: Kind, fields: Fields, hidden: readonly string[] = []) => {
  const shown = kind.shown?.(fields)
  const facts = kind.mail.facts.filter((name) => !hidden.includes(name))
  return facts.map((name) => [
    kind.labels[name] ?? name,
    (shown?.[name] ?? fieldText(fields[name])) || 'N/A',
  ])
}

/** A hash by which the same long text is known again. */
export const textHash = (text: string): string => hash('sha256', text, 'base64url')

/** The columns beside the fields for searching, and for knowing the same long text again. */
export const derived = (kind: Kind, fields: Fields): { search: string; textHash: string } => ({
  search: kind.searched.map((name) => fieldText(fields[name]).toLowerCase()).join('\n'),
  textHash: textHash(fieldText(fields[kind.longText])),
})
