import { duration, print } from '#cli/progress.ts'
import { migrateRemote } from '#server/db/migrate.ts'
import { chosenNames } from '#tests/chosen-names.ts'
import { type Postgres, startPostgres } from '#tests/postgres.ts'
import { withSteps } from '#tests/steps.ts'
import { faults } from './all.ts'
import type { Fault } from './fault.ts'

/** `npm run faults -- [name …]`: causes failures one after another and checks the promises. */

const names = chosenNames(
  'npm run faults -- [name …]',
  faults.map(({ name }) => name),
)

let postgres: Promise<Postgres> | undefined
let databases = 0
const newDatabase = async (state: 'migrated' | 'blank') => {
  postgres ??= startPostgres()
  const { createDatabase, url } = await postgres
  databases += 1
  const name = `fault${databases}`
  await createDatabase(name)
  if (state === 'migrated') await migrateRemote({ kind: 'pg', url: url(name) })
  return url(name)
}

let kept = 0
let broken = 0
const chosen = faults.filter(({ name }) => names.includes(name))
await withSteps('fault', chosen.length, async (next) => {
  for (const fault of chosen) {
    next(fault.name)
    await cause(fault)
  }
})
await (await postgres)?.stop()
console.log(`\n${kept} promises kept, ${broken} broken`)
process.exit(broken === 0 ? 0 : 1)

async function cause({ name, promise, run }: Fault): Promise<void> {
  print(`\n${name}: ${promise}`)
  const start = performance.now()
  try {
    await run(
      (sentence, isKept, found) => {
        if (isKept) kept += 1
        else broken += 1
        print(`  ${isKept ? '✓' : '✗'} ${sentence}`)
        if (!isKept && found !== undefined) print('   ', found)
      },
      { newDatabase },
    )
  } catch (error) {
    broken += 1
    print('  ✗ it went to its end:', error)
  }
  print(`  ${duration(performance.now() - start)}`)
}
