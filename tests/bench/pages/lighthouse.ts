import runLighthouse from 'lighthouse'
import { chromium } from 'playwright'
import { atLeast, type Part } from '#tests/bench/part.ts'
import { withHost } from '#tests/bench/stage.ts'
import { median } from '#tests/bench/statistics.ts'
import { findOrInstallChromium } from '#tests/browser.ts'
import { publicPages } from '#tests/pages.ts'
import { freePort } from '#tests/postgres.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Scores = Record<(typeof categories)[number], number>

/** Runs for a page that misses a point, because one slow moment of the machine proves nothing. */
const RUNS = 3

/** Lighthouse's own mobile profile on every public page. */
export const lighthouse: Part = {
  name: 'lighthouse',
  measure: () =>
    withHost(async ({ url }) => {
      const port = await freePort()
      const browser = await chromium.launch({
        executablePath: await findOrInstallChromium(),
        args: ['--no-sandbox', `--remote-debugging-port=${port}`],
      })
      try {
        const pages: ({ path: string; faults: string[] } & Scores)[] = []
        for (const path of publicPages()) {
          pages.push({ path, ...(await scoresOf(url + path, port)) })
        }
        const full = pages.filter((page) => categories.every((name) => page[name] === 100))
        return {
          rows: [
            ...categories.map((name) =>
              atLeast(
                `Lighthouse ${name}, lowest of ${pages.length} pages`,
                Math.min(...pages.map((page) => page[name])),
                100,
              ),
            ),
            atLeast('pages with 100 in all four', full.length, pages.length),
          ],
          details: { pages },
        }
      } finally {
        await browser.close()
      }
    }),
}

async function scoresOf(url: string, port: number): Promise<Scores & { faults: string[] }> {
  const runs = [await audit(url, port)]
  const isFull = () => runs.every((run) => categories.every((name) => run[name] === 100))
  if (!isFull()) while (runs.length < RUNS) runs.push(await audit(url, port))
  const scores = Object.fromEntries(
    categories.map((name) => [name, median(runs.map((run) => run[name]))]),
  ) as Scores
  const isMissing = categories.some((name) => scores[name] < 100)
  return { ...scores, faults: isMissing ? [...new Set(runs.flatMap((run) => run.faults))] : [] }
}

/** Where Lighthouse could not record a load, which it says now and then, it is run again. */
async function audit(url: string, port: number, tries = 3): Promise<Scores & { faults: string[] }> {
  const result = await runLighthouse(url, {
    port,
    logLevel: 'silent',
    output: 'json',
    onlyCategories: [...categories],
  })
  if (result?.lhr.runtimeError && tries > 1) return audit(url, port, tries - 1)
  if (!result || result.lhr.runtimeError) {
    throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? 'no result'}`)
  }
  const { lhr } = result
  const scores = Object.fromEntries(
    categories.map((name) => [name, Math.round((lhr.categories[name]?.score ?? 0) * 100)]),
  ) as Scores
  const weighted = categories.flatMap((name) => lhr.categories[name]?.auditRefs ?? [])
  const faults = weighted.flatMap(({ id, weight }) => {
    const found = lhr.audits[id]
    const isFault = weight > 0 && found && found.score !== null && found.score < 0.99
    return isFault ? [`${id}: ${found.displayValue ?? found.title}`] : []
  })
  return { ...scores, faults }
}
