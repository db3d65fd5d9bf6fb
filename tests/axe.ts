import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'

/** A page of Playwright or Puppeteer: its code runs in spite of the page's policy. */
interface Page {
  evaluate(code: string): Promise<unknown>
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose outcome depends on the colour scheme. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** The violations that axe-core finds on a page with all its rules, or with those for colours alone. */
export async function violationsOn(
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<AxeResults['violations']> {
  // An element's id may define this global, too.
  if (!(await page.evaluate(`typeof globalThis.axe?.run === 'function'`)))
    await page.evaluate(source)
  const options = {
    resultTypes: ['violations'],
    // A page in a frame is tested as a page; axe would wait for an answer from it.
    iframes: false,
    ...(rules === 'colours' ? { runOnly: { type: 'rule', values: colourRules } } : {}),
  }
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`
  return (await page.evaluate(run)) as AxeResults['violations']
}

/** The same, one line per rule; expected to be empty. */
export const axeViolations = async (page: Page, rules?: 'all' | 'colours'): Promise<string[]> =>
  (await violationsOn(page, rules)).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
