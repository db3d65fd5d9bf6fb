import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { print } from '#cli/progress.ts'
import { contactBody, visitor } from '#tests/bench/api/client.ts'
import { openHost, signIn } from '#tests/bench/stage.ts'
import { end, newFolder } from '#tests/launch.ts'
import type { Fault } from './fault.ts'

const SIZE = '160m'
/** Bytes left on the full disk: less than the database's log needs next. */
const REST = 256 * 1024

/** The embedded database on a disk that fills up and is freed again. */
export const diskFull: Fault = {
  name: 'disk-full',
  promise: 'a full disk refuses what it cannot keep, and loses nothing that it promised',
  isQuick: true,
  async run(promise) {
    const folder = newFolder()
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], {
        stdio: 'ignore',
      })
    } catch {
      print('  – not tried: this needs the right to mount a small disk')
      return
    }
    const env = { DATA_DIR: join(folder, 'data') }
    let host = await openHost(env)
    let count = 0
    const acknowledged: string[] = []
    const submit = async () => {
      count += 1
      const answer = await fetch(`${host.url}/api/contacts`, {
        method: 'POST',
        headers: visitor(count),
        body: contactBody(`full-${count}`),
      })
      const { data } = (await answer.json()) as { data?: { _id: string } }
      if (answer.status === 201 && data) acknowledged.push(data._id)
      return answer.status
    }

    try {
      const { token } = await signIn(host.url)
      for (let n = 0; n < 10; n += 1) await submit()
      promise('it works while there is room', acknowledged.length === 10)

      fill(folder)
      const statuses = new Set<number | string>()
      for (let n = 0; n < 400; n += 1) {
        statuses.add(await submit().catch(() => 'cut off'))
        if ([...statuses].some((status) => status !== 201)) break
      }
      statuses.delete(201)
      promise(
        'full: a submission is refused with 5xx, never promised',
        [...statuses].every((status) => status === 500 || status === 503 || status === 'cut off'),
        [...statuses],
      )

      rmSync(join(folder, 'filler'))
      await end(host.process)
      host = await openHost(env)
      promise('freed and started again: it takes submissions', (await submit()) === 201)
      const missing = []
      for (const id of acknowledged) {
        const answer = await fetch(`${host.url}/api/contacts/${id}`, {
          headers: { Authorization: `Bearer ${token}` },
        })
        await answer.text()
        if (answer.status !== 200) missing.push(id)
      }
      promise(
        `none of ${acknowledged.length} acknowledged records is lost`,
        missing.length === 0,
        missing,
      )
    } finally {
      await end(host.process, 'SIGKILL')
      execFileSync('umount', ['--lazy', folder])
    }
  },
}

/** Fills the disk almost completely. */
function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const file = openSync(join(folder, 'filler'), 'w')
  const block = Buffer.alloc(64 * 1024)
  for (let left = bavail * bsize - REST; left > 0; left -= block.length) writeSync(file, block)
  closeSync(file)
}
