import { statSync } from 'node:fs'
import { join } from 'node:path'
import { print } from '#cli/progress.ts'
import { atOnce, client, contactBody, visitor } from '#tests/bench/api/client.ts'
import { hostSettings, requireBuiltSite, signIn } from '#tests/bench/stage.ts'
import {
  end,
  launchProgram,
  newFolder,
  outcome,
  type Started,
  serveSettings,
  whenReady,
} from '#tests/launch.ts'
import type { Fault } from './fault.ts'
import { limitMemory } from './memory-group.ts'

const MEGABYTE = 1024 ** 2
const LIMIT = 512 * MEGABYTE
const SUBMISSIONS = 1_000

/** The host with the embedded database on a machine that has 512 MB and no swap. */
export const littleMemory: Fault = {
  name: 'little-memory',
  promise: 'it works within 512 MB without swap: starts, submissions, sign-ins, a backup, a kill',
  isQuick: false,
  async run(promise) {
    await requireBuiltSite()
    const group = limitMemory(LIMIT)
    if (!group) {
      print('  – not tried: this needs the right to make a control group')
      return
    }
    const folder = newFolder()
    const settings = serveSettings()
    const env = {
      ...settings.env,
      ...hostSettings,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
    }
    const enter = ['-c', 'echo $$ > "$0" && exec "$@"', group.processes]
    const inside = (...args: string[]) =>
      launchProgram('sh', [...enter, process.execPath, ...args], env)
    const start = () => whenReady(inside(...settings.flags, 'src/host/serve.ts'))
    let host: Started | undefined
    try {
      host = await start()
      promise('a first start makes its database', true)
      promise(`${SUBMISSIONS} submissions are taken`, await submitMany(host.url))
      await Promise.all(Array.from({ length: 5 }, () => signIn(host?.url ?? '')))
      promise('five sign-ins at once are answered', true)

      const file = join(folder, 'backup.tar.gz')
      const backup = await outcome(inside('src/cli/backup.ts', file))
      promise('a backup is made meanwhile', backup.code === 0 && statSync(file).size > 0, backup)

      await end(host.process, 'SIGKILL')
      host = await start()
      promise('it starts again after a kill', (await fetch(`${host.url}/api/health`)).ok)
      await end(host.process)
      const restore = await outcome(inside('src/cli/restore.ts', file))
      promise('the backup is restored', restore.code === 0, restore)
      promise('the kernel killed nothing', group.killed() === 0)
      print(`  at most ${Math.round(group.peak() / MEGABYTE)} MB, with the page cache`)
    } finally {
      if (host) await end(host.process, 'SIGKILL')
      group.remove()
    }
  },
}

async function submitMany(url: string): Promise<boolean> {
  const { send, close } = client(url, 10)
  const statuses = new Set<number>()
  await atOnce(SUBMISSIONS, 10, async (n) => {
    statuses.add((await send('POST', '/api/contacts', visitor(n), contactBody(n))).status)
  })
  close()
  return [...statuses].join() === '201'
}
