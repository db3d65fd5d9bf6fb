import { clockJumps } from './clock-jumps.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { kills } from './kills.ts'
import { mailProvider } from './mail-provider.ts'
import { migrations } from './migrations.ts'
import { outboxWorkers } from './outbox-workers.ts'
import { postgresAway } from './postgres-away.ts'
import { secondOwner } from './second-owner.ts'

/** `npm run faults -- [name …]`: pulls plugs, one after another, and looks for what was promised. */

const faults: readonly Fault[] = [
  secondOwner,
  migrations,
  postgresAway,
  mailProvider,
  outboxWorkers,
  clockJumps,
  diskFull,
  kills,
]

const named = process.argv.slice(2)
const unknown = named.filter((name) => !faults.some((fault) => fault.name === name))
if (unknown.length > 0) {
  console.error(`No such fault: ${unknown.join(', ')}`)
  console.error(`There are: ${faults.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

let kept = 0
let broken = 0
for (const fault of faults) {
  if (named.length > 0 && !named.includes(fault.name)) continue
  console.log(`\n${fault.name}`)
  try {
    await fault.run((sentence, isKept, found) => {
      if (isKept) kept += 1
      else broken += 1
      console.log(`  ${isKept ? '✓' : '✗'} ${sentence}`)
      if (!isKept && found !== undefined) console.log('   ', found)
    })
  } catch (error) {
    broken += 1
    console.log('  ✗ it went to its end:', error)
  }
}
console.log(`\n${kept} promises kept, ${broken} broken`)
process.exit(broken === 0 ? 0 : 1)
