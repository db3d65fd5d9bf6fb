import * as z from 'zod/mini'
import { asc, type Database, desc, getTableColumns, gt, type SQL, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { checkedRows, oneValue, run, runOne } from '#server/db/rows.ts'
import { auditSeals, events } from '#server/db/schema/events.ts'

/**
 * Entries of the audit log that the chain covers. A note belongs to its record and is erased with it, so it
 * is not one of them.
 */
const isChained = sql`
  (e.by is not null or e.via is not null or e.kind = 'sign_in_refused') and e.kind <> 'note'`

const chained = sql`e.id, ${iso(sql`e.at`)} as at, e.by, e.by_id as "byId", e.via, e.kind,
  e.target_kind as "targetKind", e.target_id as "targetId", e.fields,
  (case when e.kind = 'sign_in_refused' then e.details - 'count' else e.details end)::text as details`

const text = z.string()
/** The part of an entry that never changes: names of fields and details. */
const chainedEvent = z.object({
  id: text,
  /** As ISO 8601 in UTC, to the millisecond. */
  at: text,
  by: z.nullable(text),
  byId: z.nullable(text),
  via: z.nullable(text),
  kind: text,
  targetKind: z.nullable(text),
  targetId: z.nullable(text),
  fields: z.array(text),
  /** As the database writes them; of refused sign-ins without the count, which grows for an hour. */
  details: z.nullable(text),
})
export type ChainedEvent = z.output<typeof chainedEvent>

export type Seal = Omit<typeof auditSeals.$inferSelect, 'sealedAt'>

const { sealedAt: _, ...sealColumns } = getTableColumns(auditSeals)

/** The end of the chain; undefined where it has not begun. */
export const lastSeal = (db: Database): Promise<Seal | undefined> =>
  runOne(db.select(sealColumns).from(auditSeals).orderBy(desc(auditSeals.position)).limit(1))

/** @param after an id from which on it is looked; null for the whole log */
const isUnsealed = (after: string | null): SQL => sql`
  ${isChained} and (${after}::uuid is null or e.id > ${after}::uuid)
  and not exists (select from ${auditSeals} s where s.event_id = e.id)`

export const unsealedEvents = (db: Database, after: string | null, limit: number) =>
  checkedRows(
    db,
    chainedEvent,
    sql`select ${chained} from ${events} e where ${isUnsealed(after)} order by e.id limit ${limit}::int`,
  )

export const countUnsealed = async (db: Database): Promise<number> =>
  (await oneValue<number>(db, sql`select count(*) from ${events} e where ${isUnsealed(null)}`)) ?? 0

/**
 * Adds seals to the end of the chain.
 *
 * @throws the driver's 23505 where another worker has added some meanwhile; nothing is stored then
 */
export const insertSeals = (db: Database, seals: readonly Seal[]): Promise<unknown> =>
  run(db.insert(auditSeals).values([...seals]))

export const sealsAfter = async (db: Database, position: number, limit: number) => {
  const seals = await run(
    db
      .select(sealColumns)
      .from(auditSeals)
      .where(gt(auditSeals.position, position))
      .orderBy(asc(auditSeals.position))
      .limit(limit),
  )
  const ids = seals.map(({ eventId }) => eventId)
  const found = await checkedRows(
    db,
    chainedEvent,
    sql`select ${chained} from ${events} e where e.id = any(${sql.param(ids)}::uuid[])`,
  )
  const byId = new Map(found.map((event) => [event.id, event]))
  return seals.map((seal) => ({ ...seal, event: byId.get(seal.eventId) ?? null }))
}
