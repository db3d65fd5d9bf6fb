import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/pglite'
import type { TestProject } from 'vitest/node'
import { openPglite } from '#server/db/embedded/engine.ts'
import { migrateEmbedded, migrateRemote, migrationsFolder } from '#server/db/migrate.ts'
import { type NeonProxy, startNeonProxy } from '#tests/neon-proxy.ts'
import { type Postgres, startPostgres } from '#tests/postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A file with a dump of the embedded database, migrated and empty. */
    embeddedDump: string
    /**
     * Answers every POST to `/migrated` or `/blank` with a new Postgres database: `{url, neonEndpoint}`.
     */
    databaseServer: string
  }
}

/** Vitest's global set-up: what the tests of one run share. The real Postgres starts when asked. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = newTemporaryFolder()
  provide('embeddedDump', await embeddedDump())

  let started: Promise<{ postgres: Postgres; proxy: NeonProxy }> | undefined
  let count = 0
  let queue = Promise.resolve()
  const create = async (state: string) => {
    started ??= startServers()
    const { postgres, proxy } = await started
    count += 1
    await postgres.createDatabase(`test${count}`, state === 'blank' ? 'template0' : 'migrated')
    return { url: postgres.url(`test${count}`), neonEndpoint: proxy.endpoint }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      response.end(JSON.stringify(await create(request.url?.slice(1) ?? '')))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }
  const server = createServer((request, response) => {
    // Only one connection at a time can copy a template.
    queue = queue.then(() => answer(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  provide('databaseServer', `http://127.0.0.1:${address.port}`)

  return async () => {
    server.closeAllConnections()
    server.close()
    const servers = await started?.catch(() => undefined)
    await servers?.proxy.close()
    await servers?.postgres.stop()
    // A host that is being killed may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Where all temporary files of the run go, and go with it: a test's database alone is 40 MB. */
function newTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-tests-'))
  // Postgres may run as another user, and has its files in it.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return folder
}

async function startServers() {
  const [postgres, proxy] = await Promise.all([startPostgres(), startNeonProxy()])
  await postgres.createDatabase('migrated')
  await migrateRemote({ kind: 'pg', url: postgres.url('migrated') })
  return { postgres, proxy }
}

/** Kept between runs under the hash of the migrations, since making it takes seconds. */
async function embeddedDump(): Promise<string> {
  const hash = createHash('sha256')
  hash.update(readFileSync('package.json'))
  for (const entry of readdirSync(migrationsFolder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.(sql|json)$/.test(entry)) hash.update(readFileSync(`${migrationsFolder}/${entry}`))
  }
  const file = `node_modules/.cache/fledge/embedded-${hash.digest('hex').slice(0, 16)}.tar`
  if (existsSync(file)) return file
  mkdirSync('node_modules/.cache/fledge', { recursive: true })
  const client = await openPglite({})
  await migrateEmbedded(drizzle(client))
  const dump = await client.dumpDataDir('none')
  await client.close()
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, Buffer.from(await dump.arrayBuffer()))
  renameSync(unfinished, file)
  return file
}
