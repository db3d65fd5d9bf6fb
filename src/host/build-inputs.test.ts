import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildInputs } from './build-inputs.ts'

test('a start builds again after a change of a file, a setting or the day, and not otherwise', () => {
  const root = mkdtempSync(join(tmpdir(), 'fledge-inputs-'))
  mkdirSync(join(root, 'src/pages'), { recursive: true })
  const page = join(root, 'src/pages/about.astro')
  writeFileSync(page, 'About')
  const day = new Date('2026-03-01T10:00:00Z')
  const before = buildInputs(root, { PORT: '1' }, day)
  expect(buildInputs(root, { PORT: '1' }, new Date('2026-03-01T23:00:00Z'))).toBe(before)
  expect(buildInputs(root, { PORT: '2' }, day)).not.toBe(before)
  expect(buildInputs(root, { PORT: '1' }, new Date('2026-03-02T00:00:00Z'))).not.toBe(before)
  utimesSync(page, day, day)
  const touched = buildInputs(root, { PORT: '1' }, day)
  expect(touched).not.toBe(before)
  writeFileSync(join(root, 'src/pages/new.astro'), '')
  expect(buildInputs(root, { PORT: '1' }, day)).not.toBe(touched)
})
