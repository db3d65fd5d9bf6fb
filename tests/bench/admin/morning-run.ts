import type { Locator, Page } from 'playwright'
import type { Hands } from './hands.ts'
import { type Step, steps, template, username } from './morning-inbox.ts'

/** The morning through the run. */

const start = (page: Page) => page.getByRole('link', { name: /late or due.*Start$/s })
const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 })
const panel = (page: Page) => page.getByRole('group', { name: 'What to do' })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const me = (page: Page) => button(page, `${username} you`)
const reply = (page: Page) =>
  page.getByRole('textbox', { name: /^(Send Email|Reply via Email) to / })

/** Does each step; `ready` is the heading of the record after it, or of the end. */
const playSteps = async (
  { page }: Hands,
  play: Record<Step, (ready: Locator) => Promise<void>>,
): Promise<void> => {
  for (const step of steps) {
    const name = (await heading(page).textContent()) ?? ''
    await play[step](heading(page).filter({ hasNotText: name }))
  }
}

/** By keys. */
export const runOnDesktop = async (hands: Hands): Promise<void> => {
  const { page } = hands
  await hands.click(start(page), panel(page))
  await playSteps(hands, {
    answer: async (ready) => {
      await hands.press('1', reply(page))
      await hands.press('Control+Enter', ready)
    },
    assign: async (ready) => {
      await hands.press('a', me(page))
      await hands.press('Enter', ready)
    },
    later: async (ready) => {
      await hands.press('h', button(page, /^In two hours/))
      await hands.press('Enter', ready)
    },
    spam: (ready) => hands.press('!', ready),
  })
}

export const runOnPhone = async (hands: Hands): Promise<void> => {
  const { page } = hands
  await hands.tap(start(page), panel(page))
  await playSteps(hands, {
    answer: async (ready) => {
      await hands.tap(button(page, 'Send Email'), reply(page))
      await hands.tap(
        page.getByRole('region', { name: 'Answer' }).getByRole('button', { name: template }),
      )
      await hands.tap(button(page, 'Send, mark contacted, next'), ready)
    },
    assign: async (ready) => {
      await hands.tap(button(page, 'Assign'), me(page))
      await hands.tap(me(page), ready)
    },
    later: async (ready) => {
      await hands.tap(button(page, 'Later'))
      await hands.tap(button(page, /^In two hours/), ready)
    },
    spam: async (ready) => {
      await hands.tap(button(page, 'More'))
      await hands.tap(button(page, /Spam/), ready)
    },
  })
}
