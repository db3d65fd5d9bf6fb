import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shown, shownBy } from './e2e/messages.ts'

/** The tables of docs/messages.md, as rows of cells. */
const tables = readFileSync(new URL('../docs/messages.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) =>
    section
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
      .slice(1)
      .map((line) =>
        line
          .slice(2)
          .split('|')
          .map((cell) => cell.trim()),
      ),
  )
const [visible = [], replaced = []] = tables

test('each message that the document calls shown has a browser test', () => {
  expect(visible.length).toBeGreaterThan(20)
  expect(visible.map(([message]) => message).sort()).toEqual([...shown].sort())
})

test('each message that another file shows stands in it', () => {
  for (const [file, messages] of Object.entries(shownBy)) {
    const text = readFileSync(new URL(`e2e/${file}`, import.meta.url), 'utf8')
    for (const message of messages) expect(text).toContain(message)
  }
})

test('each replaced message names one that is shown, or a reason', () => {
  expect(replaced.length).toBeGreaterThan(10)
  for (const [message = '', instead = ''] of replaced) {
    expect(shown).not.toContain(message)
    const isShown = shown.includes(instead)
    expect([message, isShown || instead.startsWith('None: ')]).toEqual([message, true])
  }
})
