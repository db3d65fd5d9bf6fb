import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { askForBackup, openControl } from '#host/control.ts'
import { openEmbedded } from '#server/db/embedded/embedded.ts'
import { newDataDir } from '#tests/processes.ts'

test('a backup that is broken off while it waits holds up no later one', async () => {
  const dataDir = newDataDir()
  const directory = join(dataDir, 'db')
  const connection = await openEmbedded(directory)
  const control = await openControl(dataDir, connection.client, directory, {
    onBackup: async () => {},
    release: async () => undefined,
  })
  onTestFinished(async () => {
    await control.close()
    await connection.close()
  })
  const first = await askForBackup(dataDir)
  const broken = request({
    socketPath: relative(process.cwd(), join(dataDir, 'host.sock')),
    path: '/backup',
  })
  broken.end()
  await once(broken, 'finish')
  broken.destroy()
  await expect(once(broken, 'close')).rejects.toThrow('socket hang up')
  expect(first).toBeDefined()
  if (first) await buffer(first.stream)

  const next = await askForBackup(dataDir)
  expect(next).toBeDefined()
  if (next) expect((await buffer(next.stream)).length).toBeGreaterThan(next.bytes)
  await vi.waitFor(() => expect(existsSync(`${directory}.copy`)).toBe(false), { timeout: 60_000 })
})

test('a backup that the host cannot make fails with its reason', async () => {
  const dataDir = newDataDir()
  const connection = await openEmbedded(join(dataDir, 'db'))
  const control = await openControl(dataDir, connection.client, join(dataDir, 'nowhere'), {
    onBackup: async () => {},
    release: async () => undefined,
  })
  onTestFinished(async () => {
    await control.close()
    await connection.close()
  })
  await expect(askForBackup(dataDir)).rejects.toThrow('ENOENT: no such file or directory')
})
