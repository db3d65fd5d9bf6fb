import type { Browser } from 'puppeteer-core'
import { axeViolations } from '#tests/axe.ts'
import { allForms } from '#tests/e2e/forms/forms.ts'
import { superuser } from '#tests/e2e/superuser.ts'
import { publicPages } from '#tests/pages.ts'
import { alertOf, fill, openPage, press, readToTheEnd, soon, textOf, visible } from './stage.ts'
import { withoutScripts } from './without-scripts.ts'

interface Stage {
  browser: Browser
  /** The host's. */
  url: string
  promise: (sentence: string, kept: boolean, found?: unknown) => void
  /** A promise, and the violations found. */
  none: (sentence: string, found: readonly string[]) => void
}

/** The checks by name, each with its own pages. */
export const parts: Record<string, (stage: Stage) => Promise<void>> = {
  async pages({ browser, url, promise, none }) {
    const { page, takeFaults } = await openPage(browser, 1_280)
    for (const path of publicPages()) {
      await page.setViewport({ width: 1_280, height: 844 })
      await page.goto(url + path)
      await page.evaluate(() => localStorage.setItem('theme', 'light'))
      await page.reload()
      await readToTheEnd(page)
      const light = await axeViolations(page)
      await page.setViewport({ width: 390, height: 844 })
      await page.evaluate(() => localStorage.setItem('theme', 'dark'))
      await page.reload()
      await readToTheEnd(page)
      const dark = await axeViolations(page)
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      none(`${path} opens without a fault`, takeFaults())
      none(`${path}: axe finds nothing, light and wide, dark and narrow`, [...light, ...dark])
      promise(`${path} is not wider than a phone`, wider === 0, wider)
    }
    await page.close()
  },

  async shell({ browser, url, promise, none }) {
    const { page, takeFaults } = await openPage(browser, 390)
    await page.goto(url)
    const isOpen = () => page.$eval('header details', (menu) => menu.open)
    await press(page, 'Menu')
    promise('the menu opens on a phone', await isOpen())
    await page.keyboard.press('Escape')
    promise('Escape closes it', !(await isOpen()))
    await press(page, 'Menu')
    await Promise.all([
      page.waitForNavigation(),
      page.locator('header details a[href="/about"]').click(),
    ])
    promise('a page is chosen in it', page.url() === `${url}/about`, page.url())

    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const before = await ground()
    await press(page, 'Switch between light and dark')
    const after = await ground()
    promise('the theme is switched', before !== after, [before, after])
    await page.goto(`${url}/faq`)
    promise('and remembered on the next page', (await ground()) === after)
    none('nothing went wrong', takeFaults())
    await page.close()
  },

  async faq({ browser, url, promise, none }) {
    const { page, takeFaults } = await openPage(browser, 1_280)
    await page.goto(`${url}/faq`)
    const questions = await page.$$('main summary')
    const open = () => page.$$eval('main details[open]', (all) => all.length)
    await questions[0]?.click()
    await questions[1]?.click()
    promise('one answer is open at a time', (await open()) === 1, await open())
    await questions[1]?.click()
    promise('a second click closes it', (await open()) === 0, await open())
    await page.locator('a[href="#students"]').click()
    const shown = await visible(page, 'main details')
    promise('a tab narrows the questions', shown === 3, shown)
    none('nothing went wrong', takeFaults())
    await page.close()
  },

  async blog({ browser, url, promise, none }) {
    const { page, takeFaults } = await openPage(browser, 1_280)
    await page.goto(`${url}/blog`)
    const all = await visible(page, 'article')
    let sum = 0
    for (const hash of ['web-development', 'design', 'student-tips', 'startup-growth']) {
      await page.locator(`a[href="#${hash}"]`).click()
      sum += await visible(page, 'article')
    }
    promise('the categories share the articles among them', all === 8 && sum === 8, [all, sum])
    none('nothing went wrong', takeFaults())
    await page.close()
  },

  async home({ browser, url, promise, none }) {
    const { page, takeFaults } = await openPage(browser, 1_280)
    await page.goto(url)
    await page.locator('.air.live').wait()
    const tag = (await page.$$('.air li')).at(0)
    const box = await tag?.boundingBox()
    if (!tag || !box) throw new Error('No tag is shown')
    const moved = () =>
      tag.evaluate((element) => Number.parseFloat(getComputedStyle(element).translate))
    await page.mouse.move(box.x + 20, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 140, box.y + 60, { steps: 6 })
    promise(
      'a tag follows the pointer',
      await soon(async () => (await moved()) > 60),
      await moved(),
    )
    await page.mouse.up()

    const current = () =>
      page.$$eval('a[aria-label^="Quote "]', (dots) =>
        dots.findIndex(
          (dot) => dot.ariaCurrent === 'true' || dot.getAttribute('aria-current') === 'true',
        ),
      )
    await page.$eval('[aria-label="Client quotes"]', (quotes) => quotes.scrollIntoView())
    await page.locator('ul[aria-label="Quotes"][aria-live]').wait()
    await page.locator('a[aria-label="Quote 3 of 3"]').click()
    promise(
      'a dot chooses a quote',
      await soon(async () => (await current()) === 2),
      await current(),
    )
    await page.focus('ul[aria-label="Quotes"]')
    await page.keyboard.press('ArrowLeft')
    promise(
      'an arrow key does, too',
      await soon(async () => (await current()) === 1),
      await current(),
    )
    none('nothing went wrong', takeFaults())
    await page.close()
  },

  async forms({ browser, url, promise, none }) {
    const { page, takeFaults } = await openPage(browser, 1_280)
    for (const form of allForms) {
      await page.goto(url + form.path)
      await page.$eval('form', (element) => element.scrollIntoView())
      await page.locator('astro-island:has(form):not([ssr])').wait()
      await fill(page, form)
      await press(page, form.submit)
      const arrived = await soon(async () => (await textOf(page)).includes(form.sent))
      promise(`${form.endpoint}: sent with script`, arrived, await alertOf(page))
    }
    none('nothing went wrong', takeFaults())
    await page.close()

    const silent = await withoutScripts(url)
    const plain = await browser.newPage()
    for (const form of allForms) {
      await plain.goto(silent.url + form.path)
      await fill(plain, form)
      await Promise.all([plain.waitForNavigation(), press(plain, form.submit)])
      const { pathname } = new URL(plain.url())
      promise(`${form.endpoint}: sent without script`, pathname === form.thanks, plain.url())
    }
    await plain.close()
    silent.close()
  },

  async admin({ browser, url, promise, none }) {
    await submitContact(url)
    const { page, takeFaults } = await openPage(browser, 1_280)
    await page.goto(`${url}/admin/contacts`)
    await page.locator('#email').fill(superuser.email)
    await page.locator('#password').fill(superuser.password)
    await press(page, 'Sign In')
    await page.locator('[aria-label="List"] li a').click()
    await page.locator('[aria-label="Detail"] h2').wait()
    promise('staff sign in and open a message', page.url().includes('id='), page.url())
    none('axe finds nothing on an open message', await axeViolations(page))
    await press(page, 'Mark as Handled')
    const isHandled = async () => (await textOf(page)).includes('Handled by')
    promise('a status is changed', await soon(isHandled))
    await press(page, 'Undo')
    promise(
      'and the change undone',
      await soon(async () => (await textOf(page)).includes('Undone:')),
    )
    promise('as the page shows', await soon(async () => !(await isHandled())))
    for (const screen of [
      'dashboard',
      'consultations',
      'applications',
      'users',
      'mail',
      'audit',
      'privacy',
      'account',
    ]) {
      await page.goto(`${url}/admin/${screen}`, { waitUntil: 'networkidle0' })
      await page.locator('main h1, main h2').wait()
      none(`axe finds nothing on ${screen}`, await axeViolations(page))
    }
    none('nothing went wrong', takeFaults())
    await page.close()
  },
}

async function submitContact(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'A reader',
      email: 'reader@example.test',
      message: 'Hello there',
    }),
  })
  if (!answer.ok) throw new Error(`A submission was answered ${answer.status}`)
}
