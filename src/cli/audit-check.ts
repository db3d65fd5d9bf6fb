import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readArguments } from '#cli/arguments.ts'
import { withDatabase } from '#cli/with-database.ts'
import { askForBackup } from '#host/control.ts'
import { existingDatabase, readEnvironment, run } from '#host/environment.ts'
import { checkAuditLog } from '#server/audit/seal.ts'
import { type DatabaseConfig, readDatabaseConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import type { Connection } from '#server/db/database.ts'
import { openCopy } from '#server/db/embedded/embedded.ts'

/** Verifies that the audit log is what was sealed; fails where it is not. Also while the host runs. */
await run(async () => {
  readArguments('npm run audit-check')
  await withDatabase(open(readDatabaseConfig(readEnvironment())), async (db) => {
    const { sealed, unsealed, head, problem } = await checkAuditLog(db)
    console.log(`${sealed} entries verified${head ? `, up to ${head}` : ''}.`)
    console.log(`${unsealed} not sealed yet.`)
    if (problem) throw new Error(`The audit log was changed. ${problem}`)
  })
})

/** An embedded database that a running host owns is read from a copy. */
async function open(database: DatabaseConfig): Promise<Pick<Connection, 'db' | 'close'>> {
  if (database.kind !== 'embedded') return connect({ database })
  const directory = existingDatabase(database.directory)
  const copy = await askForBackup(dirname(directory))
  if (!copy) return connect({ database })
  return openCopy(new Blob([await buffer(copy.stream)]))
}
