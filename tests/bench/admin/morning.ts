import { atMost, informative, type Part, seconds } from '#tests/bench/part.ts'
import { remember, rememberedAs, signIn, withBrowser, withHost } from '#tests/bench/stage.ts'
import { newFolder } from '#tests/launch.ts'
import { type Effort, Hands } from './hands.ts'
import { account, fill, makeLate } from './morning-inbox.ts'
import { runOnDesktop, runOnPhone } from './morning-run.ts'

/** The same morning through the list of the inbox, before there was a run, on the machine of the tests. */
const before = {
  desktop: { actions: 120, screens: 32, waitedMs: 30_500 },
  phone: { actions: 215, screens: 61, waitedMs: 45_200 },
} as const satisfies Record<string, Effort>

/** One morning's work in the inbox: what it takes in keys or taps, screens and seconds of waiting. */
export const morning: Part = {
  name: 'morning',
  async measure() {
    const desktop = await play({ width: 1_280, height: 800 }, false, runOnDesktop)
    const phone = await play({ width: 390, height: 844 }, true, runOnPhone)
    return {
      rows: [...rowsOf('desktop', desktop), ...rowsOf('phone', phone)],
      details: { desktop, phone, before },
    }
  },
}

const rowsOf = (device: keyof typeof before, { actions, screens, waitedMs }: Effort) => {
  const half = (of: keyof Effort) => before[device][of] / 2
  const waited = waitedMs / 1_000
  return [
    atMost(`30 consultations, ${device}: keys, clicks, taps and swipes`, actions, half('actions')),
    atMost(`30 consultations, ${device}: screens`, screens, half('screens')),
    informative(
      `30 consultations, ${device}: waiting`,
      [waited],
      `${seconds(before[device].waitedMs / 1_000)} before there was a run`,
      seconds,
    ),
  ]
}

/** Fills an inbox of its own, signs in, opens the dashboard, and counts what follows. */
async function play(
  viewport: { width: number; height: number },
  isPhone: boolean,
  work: (hands: Hands) => Promise<void>,
): Promise<Effort> {
  const folder = newFolder()
  await withHost(({ url }) => fill(url), { DATA_DIR: folder })
  await makeLate(folder)
  return withHost(
    ({ url }) =>
      withBrowser(async (browser) => {
        const page = await browser.newPage({ viewport, isMobile: isPhone, hasTouch: isPhone })
        await remember(page, rememberedAs(await signIn(url, account)))
        await page.goto(`${url}/admin/dashboard`)
        const hands = new Hands(page)
        await work(hands)
        return hands.effort
      }),
    { DATA_DIR: folder },
  )
}
