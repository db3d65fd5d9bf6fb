import type { Page } from 'playwright'
import type { Hands } from './hands.ts'
import { steps, template, username } from './morning-inbox.ts'

/** The morning through the list of what is pending, oldest first. */

const detail = (page: Page) => page.getByRole('region', { name: 'Detail' })
const rows = (page: Page) => page.getByRole('region', { name: 'List' }).getByRole('listitem')
const late = (page: Page) => page.getByRole('link', { name: /past the 24-hour promise/ })
const whole = (page: Page) => detail(page).getByText('Received from the website')
const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to / })
const saved = (page: Page) => detail(page).getByRole('button', { name: template })
const assignee = (page: Page) => detail(page).getByLabel('Assigned to')
const notice = (page: Page, text: RegExp) => page.getByRole('status').getByText(text)

/** By keys, except where there is none. */
export const listOnDesktop = async (hands: Hands): Promise<void> => {
  const { page } = hands
  await hands.click(late(page), rows(page).first())
  await hands.press('j', whole(page))
  for (const step of steps) {
    const name = await detail(page).getByRole('heading', { level: 2 }).textContent()
    if (step === 'answer') {
      await hands.press('t', saved(page))
      await hands.press('Enter', reply(page))
      await hands.press('Control+Enter', detail(page).getByText(/^(Sending|Sent|Not sent yet)/))
    }
    if (step === 'assign') {
      await hands.press('a')
      await hands.choose(assignee(page), username, 2, notice(page, /is assigned to/))
      // The field has focus, in which letters choose: Tab leaves it. The system's own list is not the page's.
      await hands.act(() => assignee(page).evaluate((field) => field.blur()))
    }
    if (step === 'later') {
      await hands.press('h', detail(page).getByRole('button', { name: /^In two hours/ }))
      await hands.press('Enter', notice(page, /is set aside/))
    }
    if (step === 'spam')
      await hands.click(
        detail(page).getByRole('button', { name: 'Mark as Spam' }),
        notice(page, /is in spam/),
      )
    const next = detail(page)
      .getByRole('heading', { level: 2 })
      .filter({ hasNotText: name ?? '' })
    if (step !== steps.at(-1) || (await rows(page).count()) > 0) await hands.press('j', next)
  }
}

export const listOnPhone = async (hands: Hands): Promise<void> => {
  const { page } = hands
  await hands.tap(late(page), rows(page).first())
  let passed = 0
  for (const step of steps) {
    await hands.tap(rows(page).nth(passed).getByRole('link'), whole(page))
    if (step === 'answer') {
      await hands.tap(detail(page).getByRole('button', { name: /^Reply to/ }), reply(page))
      await hands.tap(detail(page).getByRole('button', { name: 'Templates' }), saved(page))
      await hands.tap(saved(page))
      await hands.tap(
        detail(page).getByRole('button', { name: 'Send and mark contacted' }),
        detail(page).getByText(/^(Sending|Not sent yet)/),
      )
    }
    if (step === 'assign') {
      await hands.tap(assignee(page))
      await hands.choose(assignee(page), username, 1, notice(page, /is assigned to/))
    }
    if (step === 'later') {
      await hands.tap(detail(page).getByRole('button', { name: 'Later' }))
      await hands.tap(
        detail(page).getByRole('button', { name: /^In two hours/ }),
        notice(page, /is set aside/),
      )
    }
    if (step === 'spam')
      await hands.tap(
        detail(page).getByRole('button', { name: 'Mark as Spam' }),
        notice(page, /is in spam/),
      )
    // What is assigned or set aside stays in the list of what is pending.
    if (step === 'assign' || step === 'later') passed += 1
    await hands.tap(detail(page).getByRole('button', { name: 'Consultations' }), rows(page).first())
  }
}
