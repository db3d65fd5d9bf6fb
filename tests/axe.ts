import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'

/** A page of Playwright or Puppeteer: its code runs in spite of the page's policy. */
interface Page {
  evaluate(code: string): Promise<unknown>
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** The violations that axe-core, with all its rules, finds on a page. */
export async function violationsOn(page: Page): Promise<AxeResults['violations']> {
  // An element's id may define this global, too.
  if (!(await page.evaluate(`typeof globalThis.axe?.run === 'function'`)))
    await page.evaluate(source)
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
  return (await page.evaluate(run)) as AxeResults['violations']
}

/** The same, one line per rule; expected to be empty. */
export const axeViolations = async (page: Page): Promise<string[]> =>
  (await violationsOn(page)).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
