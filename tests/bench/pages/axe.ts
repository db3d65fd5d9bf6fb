import type { Browser } from 'playwright'
import { violationsOn } from '#tests/axe.ts'
import { none, type Part } from '#tests/bench/part.ts'
import { fillWithSamples, rememberedAs, signIn, withBrowser, withHost } from '#tests/bench/stage.ts'
import { newFolder } from '#tests/launch.ts'
import { adminScreens, publicPages } from '#tests/pages.ts'

const schemes = ['light', 'dark'] as const
const widths = [390, 1_280] as const

interface Fault {
  path: string
  scheme: string
  width: number
  rule: string
  targets: string[]
}

/** axe-core with all its rules on every page and admin screen. */
export const axe: Part = {
  name: 'axe',
  async measure() {
    const env = { DATA_DIR: newFolder() }
    // Screens are checked with records in them.
    await fillWithSamples(env)
    return withHost(
      ({ url }) =>
        withBrowser(async (browser) => {
          const pages = publicPages()
          const screens = [...adminScreens, ...(await openRecords(url))]
          const remembered = rememberedAs(await signIn(url))
          const faults: Fault[] = []
          for (const scheme of schemes) {
            for (const width of widths) {
              const look = { scheme, width }
              faults.push(...(await examine(browser, url, pages, look)))
              faults.push(...(await examine(browser, url, screens, look, remembered)))
            }
          }
          const combinations = schemes.length * widths.length
          return {
            rows: [
              none(
                `axe violations, ${pages.length} pages and ${screens.length} admin screens in ${combinations} looks`,
                faults.length,
              ),
            ],
            details: { pages: pages.length, screens: screens.length, combinations, faults },
          }
        }),
      env,
    )
  },
}

/** Each inbox with its first record opened. */
async function openRecords(url: string): Promise<string[]> {
  const { token } = await signIn(url)
  return Promise.all(
    ['consultations', 'applications', 'contacts'].map(async (kind) => {
      const answer = await fetch(`${url}/api/${kind}?limit=1`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      const { data } = (await answer.json()) as { data: { _id: string }[] }
      return `/admin/${kind}?id=${data[0]?._id}`
    }),
  )
}

async function examine(
  browser: Browser,
  url: string,
  paths: readonly string[],
  { scheme, width }: { scheme: (typeof schemes)[number]; width: number },
  remembered: Record<string, string> = {},
): Promise<Fault[]> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    colorScheme: scheme,
    // Without transitions in progress.
    reducedMotion: 'reduce',
    storageState: {
      cookies: [],
      origins: [
        {
          origin: url,
          localStorage: Object.entries(remembered).map(([name, value]) => ({ name, value })),
        },
      ],
    },
  })
  const faults: Fault[] = []
  const page = await context.newPage()
  for (const path of paths) {
    await page.goto(url + path, { waitUntil: 'networkidle' })
    for (const { id, nodes } of await violationsOn(page)) {
      const targets = nodes.map(({ target }) => target.join(' '))
      faults.push({ path, scheme, width, rule: id, targets })
    }
  }
  await context.close()
  return faults
}
