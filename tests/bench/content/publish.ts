import { readFileSync } from 'node:fs'
import { withCount } from '#cli/progress.ts'
import { atMost, informative, milliseconds, type Part, seconds } from '#tests/bench/part.ts'
import { withHost } from '#tests/bench/stage.ts'
import { percentile } from '#tests/bench/statistics.ts'
import { type Desk, openDesk } from './desk.ts'

const PREVIEWS = 40
const MEGABYTE = 1_024 ** 2

/** The most memory that the host's one child process has had resident; 0 where the system does not tell. */
const peakOfChild = (host: number | undefined): number => {
  try {
    const [child] = readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').split(' ')
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1]
    return Number(peak ?? 0) * 1_024
  } catch {
    return 0
  }
}

/** Processor time of the host and its child so far, in seconds; 0 where the system does not tell. */
const processorTime = (host: number | undefined): number => {
  const of = (pid: number | string | undefined): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  try {
    const [child] = readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').split(' ')
    return of(host) + (child ? of(child) : 0)
  } catch {
    return 0
  }
}

/** Publishes all drafts and waits for the release; seconds of the clock and the processor, and how many pages changed. */
const published = async (
  desk: Desk,
  host: number | undefined,
): Promise<{ took: number; pages: number; processor: number }> => {
  const before = processorTime(host)
  const start = performance.now()
  const { n } = await desk.publish()
  const { state, pages, problems } = await desk.finished(n)
  if (state !== 'live') throw new Error(`Release ${n} has failed: ${JSON.stringify(problems)}`)
  return {
    took: (performance.now() - start) / 1_000,
    pages: pages.length,
    processor: processorTime(host) - before,
  }
}

/** From an edit to its preview and to the live site, on the host that `npm start` starts. */
export const publish: Part = {
  name: 'publish',
  measure: () =>
    withHost(async (host) => {
      const desk = await openDesk(host.url)
      const previews: number[] = []
      await withCount({ what: 'previews', total: PREVIEWS }, async (advance) => {
        for (let n = 0; n < PREVIEWS; n += 1) {
          await desk.edit('faq', () => ({ question: `Is this draft ${n}?` }))
          const start = performance.now()
          await fetch(`${host.url}/api/content/preview?path=/faq`, {
            headers: { Authorization: `Bearer ${desk.token}` },
          }).then((answer) => answer.text())
          previews.push(performance.now() - start)
          advance(1)
        }
      })
      const some = await published(desk, host.process.pid)
      const peak = peakOfChild(host.process.pid)
      await desk.edit('brand', () => ({ name: 'Kestrel' }))
      const all = await published(desk, host.process.pid)
      return {
        rows: [
          atMost('a preview after a change, p95', percentile(previews, 0.95), 300, milliseconds),
          atMost(`publish to live, ${some.pages} changed pages`, some.took, 5, seconds),
          atMost(
            'peak memory of the process that draws it',
            peak,
            260 * MEGABYTE,
            (size) => `${Math.round(size / MEGABYTE)} MB`,
          ),
          informative(
            'processor time, some pages and all',
            [some.processor, all.processor],
            '',
            seconds,
          ),
          atMost(`publish to live, all ${all.pages} pages and images`, all.took, 12, seconds),
        ],
        details: { previews, some, peak, all, peakOfAll: peakOfChild(host.process.pid) },
      }
    }),
}
