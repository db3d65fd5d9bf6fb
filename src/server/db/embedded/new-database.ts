import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { drizzle } from 'drizzle-orm/pglite'
import { unpack } from '#server/db/embedded/archive.ts'
import { openPglite } from '#server/db/embedded/engine.ts'
import { migrateEmbedded, migrationsFolder } from '#server/db/migrate.ts'

/**
 * A new database, migrated and empty, that the build leaves for first starts: making one takes two
 * engines at once and 600 MB of memory, unpacking it next to nothing.
 */

const root = new URL('../../../../', import.meta.url).pathname
export const preparedFolder = join(root, '.build')

/** Named by engine and migrations, so that one of another version is never taken. */
export function preparedFile(): string {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const hash = createHash('sha256').update(dependencies['@electric-sql/pglite'])
  for (const name of readdirSync(migrationsFolder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.(sql|json)$/.test(name)) {
      hash.update(basename(name)).update(readFileSync(join(migrationsFolder, name)))
    }
  }
  return join(preparedFolder, `database-${hash.digest('hex').slice(0, 16)}.tar.gz`)
}

/** Puts the prepared database into `directory`; false where the build left none. */
export async function unpackPrepared(directory: string): Promise<boolean> {
  const file = preparedFile()
  if (!existsSync(file)) return false
  await unpack(Readable.from(createReadStream(file).compose(createGunzip())), directory)
  return true
}

export async function makeDatabase(directory: string): Promise<void> {
  const client = await openPglite({ dataDir: directory })
  try {
    await migrateEmbedded(drizzle(client))
  } finally {
    await client.close()
  }
}
