import type { Locator, Page } from 'playwright'
import { timed } from '#tests/bench/statistics.ts'

/** The cost of one piece of work. */
export interface Effort {
  /** Keys pressed (a chord is one), clicks, taps and swipes. */
  actions: number
  /** Addresses shown after an action: the open record is part of the inbox's. */
  screens: number
  /** Milliseconds from each action to the next frame in which the next one can be done. */
  waitedMs: number
}

/** A person at work: acts, waits until the page is ready for the next action, and counts both. */
export class Hands {
  readonly page: Page
  readonly effort: Effort = { actions: 0, screens: 0, waitedMs: 0 }
  #address = ''

  constructor(page: Page) {
    this.page = page
  }

  async press(key: string, ready?: Locator): Promise<void> {
    await this.act(() => this.page.keyboard.press(key), ready)
  }

  async click(target: Locator, ready?: Locator): Promise<void> {
    await this.act(() => target.click(), ready)
  }

  /** A tap on what is in sight; a notice that lies over it is dismissed, and what is further away swiped into sight. */
  async tap(target: Locator, ready?: Locator): Promise<void> {
    await target.waitFor()
    if ((await sightOf(target)) === 'covered')
      await this.act(() => this.page.getByRole('button', { name: 'Dismiss' }).tap())
    if ((await sightOf(target)) !== 'clear')
      await this.act(() =>
        target.evaluate((element) => element.scrollIntoView({ block: 'center', inline: 'center' })),
      )
    await this.act(() => target.tap(), ready)
  }

  /** A choice of the system's own list: opened by an action before, made by `keys` further ones. */
  async choose(field: Locator, value: string, keys: number, ready?: Locator): Promise<void> {
    await this.act(() => field.selectOption(value), ready)
    this.effort.actions += keys - 1
  }

  async act(action: () => Promise<unknown>, ready?: Locator): Promise<void> {
    this.effort.actions += 1
    this.effort.waitedMs += await timed(async () => {
      await action()
      await ready?.first().waitFor()
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    })
    const address = this.page.url()
    if (address !== this.#address) this.effort.screens += 1
    this.#address = address
  }
}

/** What a finger would meet at the middle of an element: it, a notice over it, or something else. */
const sightOf = (target: Locator): Promise<'clear' | 'covered' | 'away'> =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const met = document.elementFromPoint(left + width / 2, top + height / 2)
    if (met && (element.contains(met) || met.contains(element))) return 'clear'
    return met?.closest('[role="status"]')?.querySelector('[aria-label="Dismiss"]')
      ? 'covered'
      : 'away'
  })
