import type { Browser, Locator, Page } from 'playwright'
import { atMost, informative, milliseconds, none, type Part } from '#tests/bench/part.ts'
import {
  fillWithSamples,
  remember,
  rememberedAs,
  signIn,
  withBrowser,
  withHost,
} from '#tests/bench/stage.ts'
import { percentile } from '#tests/bench/statistics.ts'
import { newFolder } from '#tests/launch.ts'

const RECORDS = 100_000
/** Records opened by `j`, at the top of the list and half-way down. */
const OPENED = 50
const CHANGED = 40
/** Until a key that shows nothing is an error. */
const LIMIT_MS = 5_000
const viewport = { width: 1_280, height: 800 }

/** What somebody sees after a key. */
interface Shown {
  /** From the key to the end of the first frame that shows it. */
  ms: number
  /** Frames that began after the key and did not show it yet. */
  framesBefore: number
}

/** A staff list of 100,000 records, by keys: opening a record, and a change of its status. */
export const records: Part = {
  name: 'records',
  async measure() {
    const env = { DATA_DIR: newFolder() }
    await fillWithSamples(env, { consultations: RECORDS, applications: 0, contacts: 0 })
    return withHost(
      ({ url }) =>
        withBrowser(async (browser) => {
          const page = await openList(browser, url)
          // The first loads what the others have.
          await openNext(page)
          const top = await repeat(OPENED, () => openNext(page))
          const changes = await repeat(CHANGED, () => changeAndUndo(page))
          await jumpToMiddle(page)
          const middle = await repeat(OPENED, () => openNext(page))

          const opened = [...top, ...middle].map(({ ms }) => ms)
          const frames = changes.flat().map(({ framesBefore }) => framesBefore)
          const count = frames.length
          return {
            rows: [
              atMost(
                `opening a record among ${RECORDS.toLocaleString('en')}, key to new frame, p95`,
                percentile(opened, 0.95),
                100,
                milliseconds,
              ),
              informative(
                'the same, median',
                [percentile(opened, 0.5)],
                `${opened.length} records by keys`,
                milliseconds,
              ),
              none(
                `a change shown: frames after that of the key, most of ${count}`,
                Math.max(...frames),
              ),
              informative(
                'key to the frame with the change, median and 95th percentile',
                [0.5, 0.95].map((share) =>
                  percentile(
                    changes.flat().map(({ ms }) => ms),
                    share,
                  ),
                ),
                'status and its undo',
                milliseconds,
              ),
            ],
            details: { top, middle, changes },
          }
        }),
      env,
    )
  },
}

async function openList(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport })
  await remember(page, rememberedAs(await signIn(url)))
  await page.goto(`${url}/admin/consultations`)
  await list(page).getByRole('listitem').first().waitFor()
  await whole(page)
  return page
}

const list = (page: Page): Locator => page.getByRole('region', { name: 'List' })
const detail = (page: Page): Locator => page.getByRole('region', { name: 'Detail' })

/** Until the open record is there with its activity. */
const whole = async (page: Page): Promise<void> => {
  await detail(page).getByRole('heading', { name: 'Conversation' }).waitFor()
  await detail(page).getByText('Loading activity...').waitFor({ state: 'hidden' })
}

const repeat = async <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = []
  for (let n = 0; n < count; n += 1) results.push(await work())
  return results
}

/** Opens the next record of the list. */
async function openNext(page: Page): Promise<Shown> {
  const shown = await shownAfter(page, 'j', () => {
    // Each record has a heading of its own.
    const heading = document.querySelector('[aria-label="Detail"] h2')
    return () => {
      const other = document.querySelector('[aria-label="Detail"] h2')
      return other !== null && other !== heading
    }
  })
  await whole(page)
  return shown
}

/** The next status of the next record, and back. */
async function changeAndUndo(page: Page): Promise<Shown[]> {
  await openNext(page)
  const id = new URL(page.url()).searchParams.get('id') ?? ''
  const row = list(page).locator(`[data-id="${id}"]`)
  const changed = await shownAfter(page, 'e', () => {
    const row = document.querySelector('[aria-label="List"] li:has([aria-current])')
    const record = document.querySelector('[aria-label="Detail"]')
    const isContacted = (element: Element | null) =>
      element?.querySelector('[aria-label=Contacted]') != null
    const isSaid = () => record?.querySelector('header')?.textContent?.includes('Contacted by')
    return () => Boolean(isContacted(row) && isSaid())
  })
  // Stored: the list has it among the records that are done.
  await row.waitFor({ state: 'detached' })
  const undone = await shownAfter(page, 'z', () => {
    const record = document.querySelector('[aria-label="Detail"]')
    return () => !record?.querySelector('header')?.textContent?.includes('Contacted by')
  })
  await row.waitFor()
  return [changed, undone]
}

/**
 * Presses a key. `prepare` runs in the page before it, and gives what tells whether its effect is
 * there: asked once in each frame, before the frame's own work, so that what a frame adds counts as
 * the next one's.
 */
async function shownAfter(page: Page, key: string, prepare: () => () => boolean): Promise<Shown> {
  const isShown = await page.evaluateHandle(prepare)
  await page.evaluate(watchKey, { isShown, limitMs: LIMIT_MS })
  await page.keyboard.press(key)
  const shown = await page.evaluate(() => (globalThis as never as { shown: Promise<Shown> }).shown)
  await isShown.dispose()
  return shown
}

/** In the page: leaves a promise of what the next key shows. */
function watchKey({ isShown, limitMs }: { isShown: () => boolean; limitMs: number }): void {
  const shown = new Promise<Shown>((resolve, reject) => {
    addEventListener(
      'keydown',
      ({ timeStamp, key }) => {
        let framesBefore = 0
        const look = () => {
          if (performance.now() - timeStamp > limitMs)
            return reject(new Error(`${key} showed nothing`))
          if (!isShown()) {
            framesBefore += 1
            requestAnimationFrame(look)
            return
          }
          // A message comes after the frame is drawn.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve({ ms: performance.now() - timeStamp, framesBefore })
          port2.postMessage(null)
        }
        requestAnimationFrame(look)
      },
      { capture: true, once: true },
    )
  })
  Object.assign(globalThis, { shown })
}

/** Drags the scrollbar half-way down, and opens a record there. */
async function jumpToMiddle(page: Page): Promise<void> {
  const scroller = list(page)
  await scroller.evaluate((element) => {
    element.scrollTop = element.scrollHeight / 2
  })
  const before = page.url()
  const { x = 0, y = 0, width = 0, height = 0 } = (await scroller.boundingBox()) ?? {}
  await page.waitForFunction(
    ([at, to]) => document.elementFromPoint(at, to)?.closest('[data-id]'),
    [x + width / 2, y + height / 2] as const,
  )
  await page.mouse.click(x + width / 2, y + height / 2)
  await page.waitForURL((url) => url.href !== before)
  await whole(page)
}
