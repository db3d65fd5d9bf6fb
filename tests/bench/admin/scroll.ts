import type { Browser, CDPSession, Page } from 'playwright'
import { atMost, milliseconds, type Part } from '#tests/bench/part.ts'
import {
  fillWithSamples,
  remember,
  rememberedAs,
  signIn,
  withBrowser,
  withHost,
} from '#tests/bench/stage.ts'
import { percentile, timed } from '#tests/bench/statistics.ts'
import { newFolder } from '#tests/launch.ts'

const RECORDS = 10_000
/** Pixels per second, and the total in pixels: fast scrolling for eight seconds. */
const SPEED = 4_000
const DISTANCE = 32_000
const JUMPS = 5
const viewport = { width: 1_280, height: 800 }

const budgetMs = 1_000 / 60
/** Milliseconds between two frames above which a frame was dropped. */
const lateMs = 1.5 * budgetMs

/** The baseline, a page that only scrolls: frames that the machine drops are dropped here too. */
const bare = `<!doctype html><html lang="en"><title>Bare</title>
  <section aria-label="List" style="height:700px;overflow-y:auto">${'<p>A line of text</p>'.repeat(2_000)}</section>
  <script>addEventListener('scroll', () => requestAnimationFrame(() => {}), true)</script>`

interface Frames {
  /** Milliseconds from each to the next. */
  intervals: number[]
  /** Milliseconds of processor time per frame on the page's main thread. */
  work: number[]
}

/** A staff list of 10,000 records in its groups, all of them open: the cost of a frame while scrolling, and the duration of a jump. */
export const scroll: Part = {
  name: 'scroll',
  async measure() {
    const env = { DATA_DIR: newFolder() }
    await fillWithSamples(env, { consultations: RECORDS, applications: 0, contacts: 0 })
    return withHost(
      ({ url }) =>
        withBrowser(async (browser) => {
          const plain = await browser.newPage({ viewport })
          await plain.setContent(bare)
          const page = await openList(browser, url)
          const jumps: number[] = []
          for (let n = 1; n <= JUMPS; n += 1) jumps.push(await jump(page, n / JUMPS))
          await jump(page, 0)
          const beside = await scrollThrough(plain)
          const frames = await scrollThrough(page)
          const excess = Math.max(0, lateShare(frames) - lateShare(beside))
          return {
            rows: [
              atMost(
                'work of a scrolled frame, p95',
                percentile(frames.work, 0.95),
                budgetMs / 2,
                milliseconds,
              ),
              atMost('late frames beyond those of a bare page, same run', excess, 0.01, share),
              atMost(
                'jump to a place that is not loaded, median',
                percentile(jumps, 0.5),
                500,
                milliseconds,
              ),
            ],
            details: { list: summary(frames), bare: summary(beside), jumps },
          }
        }),
      env,
    )
  },
}

const lateShare = ({ intervals }: Frames): number =>
  intervals.filter((interval) => interval > lateMs).length / intervals.length

const summary = (frames: Frames) => {
  const spread = (values: readonly number[]) => ({
    median: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
  })
  return {
    frames: frames.intervals.length,
    late: lateShare(frames),
    intervals: spread(frames.intervals),
    work: spread(frames.work),
  }
}

const share = (value: number): string => `${(value * 100).toFixed(1)} %`

const list = (page: Page) => page.getByRole('region', { name: 'List' })

async function openList(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport })
  await remember(page, rememberedAs(await signIn(url)))
  await page.goto(`${url}/admin/consultations`)
  // The largest group begins collapsed.
  await list(page).getByRole('button', { name: /^Done/, expanded: false }).click()
  await list(page).getByRole('listitem').first().waitFor()
  return page
}

/** Drags the scrollbar to a fraction of its length; milliseconds until the records there are drawn. */
async function jump(page: Page, where: number): Promise<number> {
  return timed(async () => {
    await list(page).evaluate((element, to) => {
      element.scrollTop = to * element.scrollHeight
    }, where)
    await list(page).evaluate(async (element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const isThere = () =>
        document
          .elementFromPoint(x + width / 2, y + height / 2)
          ?.closest('li')
          ?.hasAttribute('data-id')
      while (!isThere()) await new Promise(requestAnimationFrame)
    })
  })
}

interface Event {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  tdur?: number
  dur?: number
  args?: { name?: string }
}

async function scrollThrough(page: Page): Promise<Frames> {
  await page.bringToFront()
  const session = await page.context().newCDPSession(page)
  const place = await list(page).boundingBox()
  if (!place) throw new Error('There is no list')
  const events = await traced(session, () =>
    session.send('Input.synthesizeScrollGesture', {
      x: place.x + place.width / 2,
      y: place.y + place.height / 2,
      yDistance: -DISTANCE,
      speed: SPEED,
      gestureSourceType: 'mouse',
    }),
  )
  const main = busiest(events.filter(({ name, ph }) => ph === 'M' || name === 'FireAnimationFrame'))
  const own = events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid)
  const starts = own
    .filter(({ name }) => name === 'FireAnimationFrame')
    .map(({ ts }) => ts)
    .sort((a, b) => a - b)
  const tasks = own.filter(({ name, ph }) => name === 'RunTask' && ph === 'X')
  const frames = starts.slice(1).map((end, index) => ({ start: starts[index] ?? end, end }))
  return {
    intervals: frames.map(({ start, end }) => (end - start) / 1_000),
    work: frames.map(
      ({ start, end }) =>
        tasks
          .filter(({ ts }) => ts >= start && ts < end)
          .reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000,
    ),
  }
}

/** The thread of the most events. */
function busiest(events: readonly Event[]): Event {
  const counts = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`)
  const [most] = [...counts.values()].sort((a, b) => b.length - a.length)
  if (!most?.[0]) throw new Error('No frame was drawn')
  return most[0]
}

async function traced(session: CDPSession, work: () => Promise<unknown>): Promise<Event[]> {
  const events: Event[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as never as Event[])))
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    },
  })
  await work()
  await session.send('Tracing.end')
  await complete
  return events
}
