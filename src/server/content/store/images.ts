import type { Image } from '#contract/content/desk.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { jsonObject } from '#server/db/json.ts'
import { oneValue, rows, valuesOf } from '#server/db/rows.ts'
import { contentImages } from '#server/db/schema/content.ts'
import { writeRow } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

const imageJson = jsonObject({
  id: sql`i.id`,
  width: sql`i.width`,
  height: sql`i.height`,
  alt: sql`i.alt`,
  url: sql`'/media/' || i.hash`,
})

/** Stores a picture; one that is stored already keeps its id and gets this description. */
export const addImage = async (
  db: Database,
  { hash, alt, width, height, body }: Omit<typeof contentImages.$inferSelect, 'id' | 'at' | 'byId'>,
  actor: Pick<Actor, 'id'> | null,
): Promise<Image> => {
  const added = await writeRow<{ image: Image }>(
    db,
    sql`
      i as (
        insert into ${contentImages} (hash, alt, width, height, body, by_id)
        values (${hash}, ${alt}, ${width}::int, ${height}::int, ${body}, ${actor?.id ?? null}::uuid)
        on conflict (hash) do update set alt = excluded.alt, at = now()
        returning *
      )`,
    sql`select ${imageJson} as image from i`,
  )
  return added.image
}

export const listImages = (db: Database) =>
  valuesOf<Image>(
    db,
    sql`select ${imageJson} from ${contentImages} i order by i.at desc, i.id limit 500`,
  )

export const findImage = async (db: Database, hash: string): Promise<Buffer | undefined> => {
  const body = await oneValue<string>(
    db,
    sql`select body from ${contentImages} where hash = ${hash}`,
  )
  return body === undefined ? undefined : Buffer.from(body, 'base64')
}

export const storedHashes = (db: Database, hashes: readonly string[]) =>
  valuesOf<string>(
    db,
    sql`select hash from ${contentImages} where hash = any(${sql.param(hashes)}::text[])`,
  )

/** The bodies of pictures by their hash, in base64. */
export const readImages = async (db: Database, hashes: readonly string[]) => {
  const found = await rows<{ hash: string; body: string }>(
    db,
    sql`select hash, body from ${contentImages} where hash = any(${sql.param(hashes)}::text[])`,
  )
  return Object.fromEntries(found.map(({ hash, body }) => [hash, body]))
}
