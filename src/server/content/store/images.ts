import type { Image } from '#contract/content/desk.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { jsonObject } from '#server/db/json.ts'
import { rows } from '#server/db/rows.ts'
import { contentImages } from '#server/db/schema/content.ts'
import { writeOne } from '#server/db/write.ts'
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
  const added = await writeOne<{ image: Image }>(
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
  if (!added) throw new Error('An image was not stored')
  return added.image
}

export const listImages = async (db: Database): Promise<Image[]> => {
  const found = await rows<{ image: Image }>(
    db,
    sql`select ${imageJson} as image from ${contentImages} i order by i.at desc, i.id limit 500`,
  )
  return found.map(({ image }) => image)
}

export const findImage = async (db: Database, hash: string): Promise<Buffer | undefined> => {
  const [found] = await rows<{ body: string }>(
    db,
    sql`select body from ${contentImages} where hash = ${hash}`,
  )
  return found && Buffer.from(found.body, 'base64')
}

/** Those of the hashes whose pictures are stored. */
export const storedHashes = async (db: Database, hashes: readonly string[]): Promise<string[]> => {
  const found = await rows<{ hash: string }>(
    db,
    sql`select hash from ${contentImages} where hash = any(${sql.param(hashes)}::text[])`,
  )
  return found.map(({ hash }) => hash)
}

/** The bodies of pictures by their hash, in base64. */
export const readImages = async (db: Database, hashes: readonly string[]) => {
  const found = await rows<{ hash: string; body: string }>(
    db,
    sql`select hash, body from ${contentImages} where hash = any(${sql.param(hashes)}::text[])`,
  )
  return Object.fromEntries(found.map(({ hash, body }) => [hash, body]))
}
