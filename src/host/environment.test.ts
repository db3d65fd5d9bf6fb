import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#tests/processes.ts'

/** Runs a command that reads the environment in a folder of its own; answers with its errors. */
const said = (folder: string, env: Record<string, string> = {}): string =>
  spawnSync(process.execPath, [resolve('src/cli/audit-check.ts')], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  }).stderr

test('a setting comes from .env where the environment has none', () => {
  const folder = newFolder()
  writeFileSync(join(folder, '.env'), 'DATA_DIR=one\n')
  expect(said(folder)).toContain('/one/db')
  expect(said(folder, { DATA_DIR: 'two' })).toContain('/two/db')
})

test('settings that cannot be read stop a command with the reason', () => {
  const folder = newFolder()
  mkdirSync(join(folder, '.env'))
  expect(said(folder)).toBe('EISDIR: illegal operation on a directory, read\n')
})
