import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { countText, duration } from '#cli/progress.ts'
import { outcome } from '#tests/launch.ts'
import { newDataDir, runCommand } from '#tests/processes.ts'

const some = ['--contacts', '2000', '--applications', '0', '--consultations', '0']

/** Whether there is anything but text and ends of lines. */
const hasControls = (output: string) =>
  output.replaceAll('\n', '') !== stripVTControlCharacters(output).replace(/[\x00-\x1f]/g, '')

test('in a pipe, progress is plain lines', async () => {
  const { code, output } = await runCommand('sample-data', some, { DATA_DIR: newDataDir() })
  expect(code).toBe(0)
  expect(output).toMatch(/^contacts: 1,000 of 2,000, [\d,]+ a second, \d+ s left$/m)
  expect(hasControls(output)).toBe(false)
})

// `script` gives a command a terminal; other systems have another one of that name.
test.runIf(process.platform === 'linux')(
  'on a terminal, progress is one line that makes room for the results',
  async () => {
    const command = [process.execPath, '--liftoff-only', 'src/cli/sample-data.ts', ...some]
    const terminal = spawn('script', ['--quiet', '--command', command.join(' '), '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', DATA_DIR: newDataDir() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => {
      terminal.kill('SIGKILL')
    })
    const { output } = await outcome(terminal)
    const lines = output.split('\r\n').map(asShown)
    expect(output).toMatch(/contacts: 1,000 of 2,000, [\d,]+ a second, \d+ s left/)
    expect(lines).toContain('2000 sample contacts')
    expect(lines.join('\n')).not.toContain(' of 2,000')
  },
)

/** What a line shows in the end: what stands after the last time that it was cleared. */
const asShown = (line: string) => line.slice(line.lastIndexOf('\x1b[0K') + 1).replace('[0K', '')

test('rate and rest are told in words', () => {
  const tell = (done: number, seconds: number, total?: number) =>
    countText({ what: 'rows', total }, { done, elapsedMs: seconds * 1_000 })
  expect(tell(12_000, 4, 100_000)).toBe('rows: 12,000 of 100,000, 3,000 a second, 29 s left')
  expect(tell(40, 80, 200)).toBe('rows: 40 of 200, 30 a minute, 5 min 20 s left')
  expect(tell(0, 2, 100)).toBe('rows: 0 of 100, 2 s')
  expect(tell(500, 1)).toBe('rows: 500, 500 a second')
  expect([200_000, 3_900_000].map(duration)).toEqual(['3 min 20 s', '1 h 5 min'])
})
