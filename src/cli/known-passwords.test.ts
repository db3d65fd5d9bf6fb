import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runHere } from '#tests/processes.ts'

test('a list without a password that the length rule lets through replaces nothing', async () => {
  const file = join(newFolder(), 'list.txt')
  writeFileSync(file, 'password\nletmein\n')
  expect(await runHere('known-passwords', [file], {})).toMatchObject({
    code: 1,
    output: expect.stringContaining('the list is left as it was'),
  })
})
