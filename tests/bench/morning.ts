import { newFolder } from '#tests/launch.ts'
import { type Effort, Hands } from './hands.ts'
import { account, fill, makeLate } from './morning-inbox.ts'
import { listOnDesktop, listOnPhone } from './morning-list.ts'
import { informative, type Part, seconds } from './part.ts'
import { rememberedAs, signIn, withBrowser, withHost } from './stage.ts'

/** One morning's work in the inbox: what it takes in keys or taps, screens and seconds of waiting. */
export const morning: Part = {
  name: 'morning',
  async measure() {
    const onDesktop = await play({ width: 1_280, height: 800 }, false, listOnDesktop)
    const onPhone = await play({ width: 390, height: 844 }, true, listOnPhone)
    return {
      rows: [...rowsOf('desktop', onDesktop), ...rowsOf('phone', onPhone)],
      details: { desktop: onDesktop, phone: onPhone },
    }
  },
}

const rowsOf = (device: string, { actions, screens, waitedMs }: Effort) => [
  informative(`30 consultations, ${device}: keys, clicks and taps`, [actions], ''),
  informative(`30 consultations, ${device}: screens`, [screens], ''),
  informative(`30 consultations, ${device}: waiting`, [waitedMs / 1_000], '', seconds),
]

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
        const remembered = rememberedAs(await signIn(url, account))
        await page.addInitScript((entries) => {
          for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
        }, remembered)
        await page.goto(`${url}/admin/dashboard`)
        const hands = new Hands(page)
        await work(hands)
        return hands.effort
      }),
    { DATA_DIR: folder },
  )
}
