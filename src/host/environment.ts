import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readDatabaseConfig } from '#server/config.ts'
import { hasDatabase } from '#server/db/embedded/replaced.ts'
import { DatabaseUnavailable } from '#server/db/rows.ts'

/** The process's environment, completed from a `.env` file where one lies in the working folder. */
export function readEnvironment(): NodeJS.ProcessEnv {
  // Node's own `loadEnvFile` says of a file that this user may not read that there is none.
  if (existsSync('.env'))
    for (const [name, value] of Object.entries(parseEnv(readFileSync('.env', 'utf8'))))
      process.env[name] ??= value
  return process.env
}

/** Ends a command that was asked for its usage. */
export class Usage extends Error {}

/** Runs a command's `main`; what stops it is said in one sentence, without a stack. */
export async function run(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (error instanceof Usage) return console.log(error.message)
    console.error(sentence(error))
    process.exitCode = 1
  }
}

/**
 * The socket that a service manager opened for this process and holds while it restarts, by its
 * number (sd_listen_fds(3)); undefined where there is none.
 */
export function inheritedSocket(env: NodeJS.ProcessEnv): number | undefined {
  return env.LISTEN_FDS === '1' && env.LISTEN_PID === String(process.pid) ? 3 : undefined
}

/** SQLSTATEs of refused connections: wrong password, no such database. */
const REFUSED = /^(28...|3D000)$/

/**
 * The error for the person who ran the command; an address is never repeated, it may hold a
 * password.
 */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  const { code = '', syscall } = cause as NodeJS.ErrnoException
  if (
    error instanceof DatabaseUnavailable ||
    REFUSED.test(code) ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo'
  ) {
    return `The database at DATABASE_URL cannot be used: ${reason(cause)}. Check the address, and that the server runs.`
  }
  return error.message
}

/** An attempt over IPv4 and IPv6 fails with two reasons and says neither itself. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** The folder of the embedded database, for a command that is about no other. */
export function embeddedDirectory(env: NodeJS.ProcessEnv): string {
  const database = readDatabaseConfig(env)
  if (database.kind === 'embedded') return database.directory
  throw new Error(
    'DATABASE_URL is set, and this command is for the embedded database. Use pg_dump and pg_restore.',
  )
}

/** The same folder, where a command needs what is in it: an empty database would be no help. */
export function existingDatabase(directory: string): string {
  if (hasDatabase(directory)) return directory
  throw new Error(`There is no database in ${directory}. Set DATA_DIR as the host has it.`)
}

/** The same for a command that is about either kind of database. */
export function requireDatabase(env: NodeJS.ProcessEnv): void {
  const database = readDatabaseConfig(env)
  if (database.kind === 'embedded') existingDatabase(database.directory)
}
