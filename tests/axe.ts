import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'

/** A page of Playwright's or of Puppeteer's: its code runs whatever the page's policy says. */
interface Page {
  evaluate(code: string): Promise<unknown>
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** What axe-core, with all its rules, has against a page as it stands. */
export async function violationsOn(page: Page): Promise<AxeResults['violations']> {
  // An element may have this name, too.
  if (!(await page.evaluate(`typeof globalThis.axe?.run === 'function'`)))
    await page.evaluate(source)
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
  return (await page.evaluate(run)) as AxeResults['violations']
}

/** The same, a line for each rule: what is expected is an empty list. */
export const axeViolations = async (page: Page): Promise<string[]> =>
  (await violationsOn(page)).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
