import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Processes that share a limit of their memory, without swap. */
export interface MemoryGroup {
  /** A process that writes its id to this file belongs to the group, with all that it starts. */
  processes: string
  /** How many processes the kernel has killed because the group had no memory left. */
  killed(): number
  /** The most bytes that the group has held, with its part of the page cache. */
  peak(): number
  /** Needs a group without processes. */
  remove(): void
}

const ROOT = '/sys/fs/cgroup'

/** Files of the two versions of Linux's control groups. */
const versions = [
  {
    parent: ROOT,
    sign: join(ROOT, 'cgroup.controllers'),
    limits: ['memory.max'],
    swap: ['memory.swap.max', '0'],
    events: 'memory.events',
    peak: 'memory.peak',
  },
  {
    parent: join(ROOT, 'memory'),
    sign: join(ROOT, 'memory/memory.limit_in_bytes'),
    limits: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
    swap: ['memory.swappiness', '0'],
    events: 'memory.oom_control',
    peak: 'memory.max_usage_in_bytes',
  },
] as const

/** A group with a limit; undefined where this process may not make one. */
export function limitMemory(bytes: number): MemoryGroup | undefined {
  const version = versions.find(({ sign }) => existsSync(sign))
  if (!version) return undefined
  const folder = join(version.parent, `fledge-${process.pid}`)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    mkdirSync(folder)
    for (const file of version.limits) writeFileSync(join(folder, file), String(bytes))
    const [file, value] = version.swap
    writeFileSync(join(folder, file), value)
  } catch {
    if (existsSync(folder)) rmdirSync(folder)
    return undefined
  }
  return {
    processes: join(folder, 'cgroup.procs'),
    killed: () => Number(/^oom_kill (\d+)$/m.exec(read(version.events))?.[1] ?? 0),
    peak: () => Number(read(version.peak)),
    remove: () => rmdirSync(folder),
  }
}
