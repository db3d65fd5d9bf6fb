import type { BodyOf } from '#contract/http/endpoint.ts'
import type { changeTemplate as changeCall, Template } from '#contract/mail/templates.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { jsonObject } from '#server/db/json.ts'
import { anyRow, valuesOf } from '#server/db/rows.ts'
import { templates } from '#server/db/schema/settings.ts'
import { writeOne, writeRow, writesAny } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

const template = jsonObject({
  _id: sql`t.id`,
  name: sql`t.name`,
  text: sql`t.text`,
  kind: sql`t.kind`,
  version: sql`t.version`,
})

export const listTemplates = (db: Database) =>
  valuesOf<Template>(db, sql`select ${template} from ${templates} t order by lower(t.name), t.id`)

/** The event of a change; the audit log names the fields, and no text. */
const logged = (verb: 'create' | 'update' | 'delete', fields: readonly string[], actor: Actor) =>
  recordEventOf('t', { by: actor, kind: `template.${verb}`, targetKind: 'templates', fields })

export const addTemplate = async (
  db: Database,
  given: Omit<Template, '_id' | 'version'>,
  actor: Actor,
): Promise<Template> => {
  const added = await writeRow<{ template: Template }>(
    db,
    sql`
      t as (
        insert into ${templates} (name, text, kind)
        values (${given.name}, ${given.text}, ${given.kind}::text) returning *
      ),
      logged as (${logged('create', Object.keys(given), actor)})`,
    sql`select ${template} as template from t`,
  )
  return added.template
}

/** The stored template, changed where something differs; absent fields stay. Undefined where there is none. */
export const changeTemplate = (
  db: Database,
  templateId: string,
  { version, ...given }: BodyOf<typeof changeCall>,
  actor: Actor,
): Promise<{ template: Template; isStale: boolean } | undefined> =>
  writeOne(
    db,
    sql`
      stored as materialized (
        select t.*, coalesce(t.version <> ${version ?? null}::bigint, false) as is_stale,
          coalesce(${given.name ?? null}::text, t.name) as new_name,
          coalesce(${given.text ?? null}::text, t.text) as new_text,
          case when ${given.kind !== undefined}::boolean then ${given.kind ?? null}::text else t.kind end as new_kind
        from ${templates} t where t.id = ${templateId}::uuid for update
      ),
      t as (
        update ${templates} t set name = new_name, text = new_text, kind = new_kind, version = t.version + 1
        from stored s
        where t.id = s.id and not is_stale
          and (s.name, s.text, s.kind) is distinct from (new_name, new_text, new_kind)
        returning t.*
      ),
      logged as (${logged('update', Object.keys(given), actor)})`,
    sql`select ${template} as template, false as "isStale" from t
      union all
      select ${template}, is_stale from stored t where not exists (select from t)`,
  )

export const templateExists = (db: Database, templateId: string): Promise<boolean> =>
  anyRow(db, sql`select from ${templates} where id = ${templateId}::uuid`)

export const removeTemplate = (db: Database, templateId: string, actor: Actor) =>
  writesAny(
    db,
    sql`
      t as (delete from ${templates} where id = ${templateId}::uuid returning id),
      logged as (${logged('delete', [], actor)})`,
    sql`select id from t`,
  )
