import { type SQL, sql } from '#server/db/drizzle.ts'
import { keyedCalls } from '#server/db/schema/calls.ts'
import { templates, views } from '#server/db/schema/settings.ts'

/** The name of a view that was emptied: its own may name the person. */
const EMPTIED = 'Search erased'

/** Shorter parts of a name or an address are everybody's. */
const LEAST_PART = 3

/** The words of a text, in lower case, between single spaces. */
const words = (text: SQL): SQL =>
  sql`(' ' || trim(regexp_replace(lower(${text}), '[^[:alnum:]]+', ' ', 'g')) || ' ')`

/**
 * True if a text holds all words of a part; a part without any, such as an emoji, has to be the
 * whole text.
 */
const holds = (text: SQL, part: SQL): SQL =>
  sql`case when ${words(part)} = '  ' then lower(${text}) = lower(${part})
    else position(${words(part)} in ${words(text)}) > 0 end`

/** True if words of `text` begin with those of `part`. */
const hasStart = (text: SQL, part: SQL): SQL =>
  sql`(length(trim(${words(part)})) >= ${LEAST_PART}
    and position(rtrim(${words(part)}) in ${words(text)}) > 0)`

interface Saved {
  name: SQL
  q: SQL
}

/**
 * True if a view searches for a person: by name, by address, or by a part of them. A part of the
 * address's domain alone names an organisation. A view that is named after the person counts too.
 */
const isAbout = ({ name, q }: Saved, person: { name: SQL; address: SQL }): SQL => {
  const local = sql`split_part(${person.address}, '@', 1)`
  const domain = sql`split_part(${person.address}, '@', 2)`
  return sql`(
    (${holds(q, person.name)}) or (${holds(q, person.address)})
    or (${holds(name, person.name)}) or (${holds(name, person.address)})
    or ${hasStart(person.name, q)} or ${hasStart(local, q)}
    or (${hasStart(person.address, q)} and not ${hasStart(domain, q)})
  )`
}

const isAboutErased = (view: Saved): SQL => sql`exists (
  select from people p where ${isAbout(view, { name: sql`p.name`, address: sql`p.address` })}
)`

export const searchesFor = (people: SQL): SQL => sql`(
  select coalesce(json_agg(json_build_object(
    '_id', v.id, 'kind', v.kind, 'name', v.name, 'filter', v.filter) order by v.id), '[]')
  from ${views} v where exists (
    select from (${people}) as p
    where ${isAbout({ name: sql`v.name`, q: sql`v.filter->>'q'` }, { name: sql`p.name`, address: sql`p.address` })}
  )
)`

/**
 * Templates `t` that name one of some addresses, as a JSON array of `part`. An erasure leaves them: an
 * address in a text for everybody may be the agency's own, with which staff tried a form.
 *
 * @param addresses a query of `address`
 */
export const templatesNaming = (addresses: SQL, part: SQL): SQL => sql`(
  select coalesce(json_agg(${part} order by lower(t.name), t.id), '[]')
  from ${templates} t where exists (
    select from (${addresses}) as a
    where ${holds(sql`t.name || ' ' || t.text`, sql`a.address`)}
  )
)`

/**
 * Empties saved views that search for erased people, after a CTE `people (name, address)`. The answers of
 * the calls that stored such views are forgotten too: they hold the search text.
 */
export const searchesEmptied: SQL = sql`
  views_emptied as (
    update ${views} v set name = ${EMPTIED}, filter = '{}', version = v.version + 1, updated_at = now()
    where ${isAboutErased({ name: sql`v.name`, q: sql`v.filter->>'q'` })}
    returning 1
  ),
  views_forgotten as (
    delete from ${keyedCalls} k
    where k.outcome#>'{0,view}' is not null and ${isAboutErased({
      name: sql`k.outcome#>>'{0,view,name}'`,
      q: sql`k.outcome#>>'{0,view,filter,q}'`,
    })}
  )`
