import { clockJumps } from './clock-jumps.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { kills } from './kills.ts'
import { littleMemory } from './little-memory.ts'
import { mailProvider } from './mail-provider.ts'
import { migrations } from './migrations.ts'
import { outboxWorkers } from './outbox-workers.ts'
import { postgresAway } from './postgres-away.ts'
import { secondOwner } from './second-owner.ts'
import { senderRobots } from './sender-robots.ts'

export const faults: readonly Fault[] = [
  secondOwner,
  migrations,
  postgresAway,
  mailProvider,
  outboxWorkers,
  clockJumps,
  diskFull,
  littleMemory,
  senderRobots,
  kills,
]
