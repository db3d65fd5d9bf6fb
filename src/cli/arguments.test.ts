import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newFolder } from '#tests/launch.ts'
import { runHere } from '#tests/processes.ts'
import pack from '../../package.json' with { type: 'json' }

/** Commands by npm script; `build` and its part are no commands for a person who may mistype. */
const commands = Object.entries(pack.scripts).flatMap(([name, line]) => {
  const [, file] = /^node src\/cli\/([\w-]+)\.ts$/.exec(line) ?? []
  return file ? [[name, file] as const] : []
})

test.each(commands)(
  'npm run %s tells its usage and refuses what it does not take',
  async (name, file) => {
    const env = { DATA_DIR: newFolder() }
    const usage = expect.stringContaining(`Usage: npm run ${name}`)
    expect(await runHere(file, ['--help'], env)).toEqual({ code: 0, output: usage })
    expect(await runHere(file, ['--mistyped'], env)).toEqual({ code: 1, output: usage })
    expect(readdirSync(env.DATA_DIR)).toEqual([])
  },
)
