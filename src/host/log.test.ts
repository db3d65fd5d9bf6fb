import { expect, test } from 'vitest'
import { launchProgram, outcome } from '#tests/launch.ts'

test('what a host logs in its last moment is written, however it ends', async () => {
  const endings = [
    'process.exit(1)',
    'throw new Error()',
    'await Promise.reject()',
    'setImmediate(() => process.exit(1))',
  ]
  const outcomes = await Promise.all(
    endings.map((ending) => {
      const code = `
        import { gatheredLog } from '#host/log.ts'
        const log = gatheredLog()
        for (const event of ['first', 'last']) log({ level: 'info', event })
        ${ending}`
      return outcome(launchProgram(process.execPath, ['--input-type=module', '--eval', code]))
    }),
  )
  for (const [n, { code, output }] of outcomes.entries()) {
    expect(code, endings[n]).toBe(1)
    expect(output, endings[n]).toMatch(/"event":"first"}\n.*"event":"last"}\n/)
  }
})
