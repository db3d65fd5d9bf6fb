import { pageFigures, readBenchResults } from './bench-results.ts'

/** The bench's figures of this site; undefined if not measured. */
export const proof = (results = readBenchResults()) => {
  const pages = pageFigures(results)
  const scores = pages.flatMap(({ lighthouse }) => (lighthouse ? [lighthouse] : []))
  const asked = pages.flatMap(({ scriptBytes, elsewhere }) =>
    scriptBytes === undefined || elsewhere === undefined ? [] : [{ scriptBytes, elsewhere }],
  )
  const days = ['lighthouse', 'weights', 'requests'].flatMap(
    (part) => results.parts[part]?.measuredAt.slice(0, 10) ?? [],
  )
  return {
    /** The day of the older measurement, `YYYY-MM-DD`, UTC. */
    day: days.toSorted()[0],
    /** Pages with 100 in all four scores of Lighthouse, and how many it looked at. */
    lighthouse: scores.length
      ? {
          full: scores.filter((four) => four.every((score) => score === 100)).length,
          pages: scores.length,
        }
      : undefined,
    /** HTML and CSS of the home page as sent, in bytes. */
    homeBytes: pages.find(({ path }) => path === '/')?.bytes,
    /** Pages that load no script before a scroll or touch. */
    withoutScript: asked.length
      ? asked.filter(({ scriptBytes }) => scriptBytes === 0).length
      : undefined,
    /** Requests to other hosts, all pages together. */
    elsewhere: asked.length ? asked.reduce((sum, page) => sum + page.elsewhere, 0) : undefined,
  }
}

/** `13.7` for 13,676 bytes. */
export const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
