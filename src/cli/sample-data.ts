import { randomBytes } from 'node:crypto'
import { readArguments } from '#cli/arguments.ts'
import { withCount } from '#cli/progress.ts'
import { addAccount, addRecords } from '#cli/store/samples.ts'
import { withDatabase } from '#cli/with-database.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { log } from '#host/log.ts'
import { prepareUsers } from '#host/prepare-users.ts'
import { sealAuditLog } from '#server/audit/seal.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import type { Database } from '#server/db/drizzle.ts'
import { recordProgramEvent } from '#server/db/events/record-event.ts'
import { vacuum } from '#server/db/vacuum.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kindByPath, kinds } from '#server/kinds/kinds.ts'
import { hashPassword } from '#server/password/hash.ts'
import { startRule } from '#server/password/rules.ts'

const USUAL = 25
const usage = `npm run sample-data -- ${kinds.map(({ path }) => `[--${path} N]`).join(' ')}`

/** The staff of a small agency; each came a day before the one named earlier. */
const staff = [
  { username: 'sample-admin', role: 'admin' },
  { username: 'sample-admin-2', role: 'admin' },
  { username: 'sample-editor', role: 'editor' },
  { username: 'sample-reviewer', role: 'reviewer' },
] as const

await run(async () => {
  const counts = readCounts()
  const environment = readEnvironment()
  const config = readConfig(environment, await startRule(environment))
  await withDatabase(connect(config), async (db) => {
    // Before the sample staff: the first superuser is made only while there is nobody.
    await prepareUsers({ config, db, log })
    await addStaff(db)
    for (const [kind, count] of counts) {
      await withCount({ what: kind.path, total: count }, (advance) =>
        addRecords(db, kind, count, advance),
      )
      console.log(`${count} sample ${kind.path}`)
    }
    await recordProgramEvent(db, {
      via: 'command',
      kind: 'sample_data',
      counts: Object.fromEntries(counts.map(([kind, count]) => [kind.path, count])),
    })
    // A host that starts on them seals nothing and renews no statistics while it answers its first calls.
    while ((await sealAuditLog({ db, log: () => {} })) > 0);
    await vacuum(db)
  })
})

function readCounts(): [Kind, number][] {
  const { values } = readArguments(usage, {
    options: Object.fromEntries(kinds.map(({ path }) => [path, { type: 'string' as const }])),
  })
  return kinds.map(({ path }) => {
    const text = values[path] ?? String(USUAL)
    if (!/^\d{1,7}$/.test(text)) throw new Error(`--${path} takes a number of records`)
    return [kindByPath[path], Number(text)]
  })
}

async function addStaff(db: Database): Promise<void> {
  for (const [days, { username, role }] of staff.entries()) {
    const password = randomBytes(12).toString('base64url')
    const email = `${username}@staff.example`
    const hash = await hashPassword(password)
    const isNew = await addAccount(db, { username, email, hash, role, days })
    if (isNew) console.log(`${role.padEnd(8)} ${email}  password: ${password}`)
  }
}
