import { existsSync } from 'node:fs'
import { readDatabaseConfig } from '#server/config.ts'

/** The process's environment, completed from a `.env` file where one lies in the working folder. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

/** Runs a command's `main`; what stops it is said in one sentence, without a stack. */
export async function run(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** The folder of the embedded database, for a command that is about no other. */
export function embeddedDirectory(env: NodeJS.ProcessEnv): string {
  const database = readDatabaseConfig(env)
  if (database.kind === 'embedded') return database.directory
  throw new Error(
    'DATABASE_URL is set, and this command is for the embedded database. Use pg_dump and pg_restore.',
  )
}

/** The one file that a command is given. */
export function fileArgument(command: string): string {
  const [file, ...more] = process.argv.slice(2)
  if (file === undefined || more.length > 0) {
    throw new Error(`Name one file: npm run ${command} -- FILE`)
  }
  return file
}
