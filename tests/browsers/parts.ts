import { chromium } from 'playwright'
import { categoryId } from '#components/blog/posts.ts'
import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import { pageWords } from '#site/page-words.ts'
import { axeViolations } from '#tests/axe.ts'
import { findOrInstallChromium } from '#tests/browser.ts'
import { allForms } from '#tests/e2e/forms/forms.ts'
import { superuser } from '#tests/e2e/superuser.ts'
import { publicPages } from '#tests/pages.ts'
import { senderPage } from '#tests/sender-page.ts'
import { withoutScripts } from './proxy.ts'
import {
  alertOf,
  type Driver,
  fill,
  press,
  readToTheEnd,
  soon,
  type Tab,
  textOf,
  visible,
  wait,
} from './tab.ts'

interface Stage {
  browser: Driver
  /** The host's. */
  url: string
  /** The folder of the host's mail. */
  mailbox: string
  promise: (sentence: string, kept: boolean, found?: unknown) => void
  /** A promise, and the violations found. */
  none: (sentence: string, found: readonly string[]) => void
}

/** The checks by name, each with its own pages. */
export const parts: Record<string, (stage: Stage) => Promise<void>> = {
  async pages({ browser, url, promise, none }) {
    const violations = new Map(publicPages().map((path) => [path, [] as string[]]))
    for (const [theme, width] of [
      ['light', 1_280],
      ['dark', 390],
    ] as const) {
      const tab = await browser.open(width)
      await tab.goto(url)
      // A page that is left while its scripts load counts as one with a fault.
      await readToTheEnd(tab)
      await tab.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
      for (const [path, found] of violations) {
        await tab.goto(url + path)
        await readToTheEnd(tab)
        found.push(...(await axeViolations(tab)))
        none(`${path} opens without a fault, ${theme}`, await tab.takeFaults())
        if (width !== 390) continue
        const wider = await tab.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        promise(`${path} is not wider than a phone`, wider === 0, wider)
      }
      await tab.close()
    }
    for (const [path, found] of violations)
      none(`${path}: axe finds nothing, light and wide, dark and narrow`, found)
  },

  async shell({ browser, url, promise, none }) {
    const tab = await browser.open(390)
    await tab.goto(url)
    const isOpen = () =>
      tab.evaluate(() => document.querySelector<HTMLDetailsElement>('header details')?.open)
    await press(tab, 'Menu')
    promise('the menu opens on a phone', (await isOpen()) === true)
    await tab.key('Escape')
    promise('Escape closes it', !(await isOpen()))
    await press(tab, 'Menu')
    await tab.click('header details a[href="/about"]')
    promise(
      'a page is chosen in it',
      await soon(async () => (await tab.url()) === `${url}/about`),
      await tab.url(),
    )

    const ground = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const before = await ground()
    await press(tab, 'Switch between light and dark')
    const after = await ground()
    promise('the theme is switched', before !== after, [before, after])
    await tab.goto(`${url}/faq`)
    promise('and remembered on the next page', (await ground()) === after)
    none('nothing went wrong', await tab.takeFaults())
    await tab.close()
  },

  async faq({ browser, url, promise, none }) {
    const tab = await browser.open(1_280)
    await tab.goto(`${url}/faq`)
    const open = () => tab.evaluate(() => document.querySelectorAll('main details[open]').length)
    const [one = '', other = ''] = await tab.evaluate(() =>
      [...document.querySelectorAll('main summary')].map((question) => question.textContent.trim()),
    )
    await press(tab, one)
    await press(tab, other)
    promise('one answer is open at a time', await soon(async () => (await open()) === 1))
    await press(tab, other)
    promise('a second click closes it', await soon(async () => (await open()) === 0))
    const category = entries('faq')[0]?.data.category
    await tab.click(`a[href="#${category}"]`)
    const shown = await visible(tab, 'main details')
    const asked = entries('faq').filter(({ data }) => data.category === category).length
    promise('a tab narrows the questions', shown === asked, [shown, asked])
    none('nothing went wrong', await tab.takeFaults())
    await tab.close()
  },

  async blog({ browser, url, promise, none }) {
    if (isOff('/blog')) return console.log('  Skipped: this site has no blog')
    const tab = await browser.open(1_280)
    await tab.goto(`${url}/blog`)
    const all = await visible(tab, 'article')
    const articles = entries('blog').length
    let sum = 0
    for (const hash of pageWords('blog').categories.map(categoryId)) {
      await tab.click(`a[href="#${hash}"]`)
      sum += await visible(tab, 'article')
    }
    promise('the categories share the articles among them', all === articles && sum === articles, [
      all,
      sum,
    ])
    none('nothing went wrong', await tab.takeFaults())
    await tab.close()
  },

  async home({ browser, url, promise, none }) {
    const tab = await browser.open(1_280)
    await tab.goto(url)
    const moved = () =>
      tab.evaluate(() => {
        const [tag] = document.querySelectorAll('.air li')
        return tag ? Number.parseFloat(getComputedStyle(tag).translate) : 0
      })
    await tab.drag('.air li', 120, 50)
    promise(
      'a tag follows the pointer',
      await soon(async () => (await moved()) > 60),
      await moved(),
    )
    await tab.drop()

    const quotes = entries('testimonials').length
    if (quotes < 2) {
      await tab.close()
      return console.log('  Skipped: this site has no quotes to choose from')
    }
    const current = () =>
      tab.evaluate(() =>
        [...document.querySelectorAll('a[aria-label^="Quote "]')].findIndex(
          (dot) => dot.getAttribute('aria-current') === 'true',
        ),
      )
    await tab.evaluate(() =>
      document.querySelector('[aria-label="Client quotes"]')?.scrollIntoView(),
    )
    await wait(tab, 'ul[aria-label="Quotes"][aria-live]')
    await tab.click(`a[aria-label="Quote ${quotes} of ${quotes}"]`)
    promise(
      'a dot chooses a quote',
      await soon(async () => (await current()) === quotes - 1),
      await current(),
    )
    await tab.evaluate(() =>
      document.querySelector<HTMLElement>('ul[aria-label="Quotes"]')?.focus(),
    )
    await tab.key('ArrowLeft')
    promise(
      'an arrow key does, too',
      await soon(async () => (await current()) === quotes - 2),
      await current(),
    )
    none('nothing went wrong', await tab.takeFaults())
    await tab.close()
  },

  async forms({ browser, url, promise, none }) {
    const tab = await browser.open(1_280)
    for (const form of allForms) {
      await tab.goto(url + form.path)
      await tab.evaluate(() => document.querySelector('form')?.scrollIntoView())
      await soon(() =>
        tab.evaluate(() => document.querySelector('astro-island:has(form):not([ssr])') !== null),
      )
      await fill(tab, form)
      await press(tab, form.submit)
      const arrived = await soon(async () => (await textOf(tab)).includes(form.sent))
      promise(`${form.endpoint}: sent with script`, arrived, await alertOf(tab))
    }
    none('nothing went wrong', await tab.takeFaults())
    await tab.close()

    const silent = await withoutScripts(url)
    const plain = await browser.open(1_280)
    for (const form of allForms) {
      await plain.goto(silent.url + form.path)
      await fill(plain, form)
      await press(plain, form.submit)
      const arrives = async () => new URL(await plain.url()).pathname === form.thanks
      promise(`${form.endpoint}: sent without script`, await soon(arrives), await plain.url())
    }
    await plain.close()
    silent.close()
  },

  async admin({ browser, url, promise, none }) {
    await submitContact(url)
    const tab = await browser.open(1_280)
    await tab.goto(`${url}/admin/contacts`)
    await tab.fill('#email', superuser.email)
    await tab.fill('#password', superuser.password)
    await press(tab, 'Sign In')
    await tab.click('[aria-label="List"] li a')
    await wait(tab, '[aria-label="Detail"] h2')
    promise('staff sign in and open a message', (await tab.url()).includes('id='), await tab.url())
    none('axe finds nothing on an open message', await axeViolations(tab))
    await press(tab, 'Mark as Handled')
    const isHandled = async () => (await textOf(tab)).includes('Handled by')
    promise('a status is changed', await soon(isHandled))
    await press(tab, 'Undo')
    promise(
      'and the change undone',
      await soon(async () => (await textOf(tab)).includes('Undone:')),
    )
    promise('as the page shows', await soon(async () => !(await isHandled())))
    // A page that is left before it has saved asks, and an engine without a window waits for an answer.
    const isSaved = () =>
      tab.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
    promise('and saves', await soon(isSaved))
    for (const screen of [
      'dashboard',
      'consultations',
      ...(isOff('/careers') ? [] : ['applications']),
      'users',
      'mail',
      'audit',
      'privacy',
      'account',
      'site',
    ]) {
      await tab.goto(`${url}/admin/${screen}`)
      await wait(tab, 'main h1, main h2')
      none(`axe finds nothing on ${screen}`, await axeViolations(tab))
    }
    none('nothing went wrong', await tab.takeFaults())
    await tab.close()
  },

  async sender({ browser, url, mailbox, promise, none }) {
    const email = 'sender@example.test'
    await submitContact(url, email)
    let path = ''
    await soon(async () => {
      path = await senderPage(mailbox, email)
      return path !== ''
    })
    const tab = await browser.open(390)
    await tab.goto(url + path)
    none('axe finds nothing on the sender’s page', await axeViolations(tab))
    await tab.fill('textarea', 'One thing more.')
    await tab.evaluate(() => document.querySelector('textarea')?.form?.requestSubmit())
    promise(
      'a reply is sent and shown',
      await soon(async () => (await textOf(tab)).includes('We have your reply')),
    )
    none('nothing went wrong', await tab.takeFaults())
    await tab.close()
  },

  /** Compares the names that screen readers are told by this browser and by Chromium. */
  async names({ browser, url, promise }) {
    const tab = await browser.open(1_280)
    const { names } = tab
    if (!names) {
      console.log('  Skipped: the driver does not tell names')
      return tab.close()
    }
    const other = await chromium.launch({
      executablePath: await findOrInstallChromium(),
      args: ['--no-sandbox'],
    })
    const context = await other.newContext({ viewport: { width: 1_280, height: 900 } })
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const shown = 'shown-to-readers'
    // The same elements in both, with what they say: those that can be seen and are not taken out of the tree.
    const mark = (name: string) => {
      const all = 'a[href], button, summary, input, select, textarea, h1, h2, h3, [role=tab]'
      for (const element of document.querySelectorAll(all))
        if (element.checkVisibility() && !element.closest('[aria-hidden=true], [inert]'))
          element.classList.add(name)
      return [...document.querySelectorAll(`.${name}`)]
        .map(({ textContent }) => textContent.replace(/:\d{4,5}/g, ''))
        .join('\n')
    }
    // The engines join the parts of a name with other spaces, and the hosts have other ports.
    const plain = (name: string) => name.replace(/\s+|:\d{4,5}/g, '')
    const theirNames = async () => {
      const { root } = await cdp.send('DOM.getDocument')
      const { nodeIds } = await cdp.send('DOM.querySelectorAll', {
        nodeId: root.nodeId,
        selector: `.${shown}`,
      })
      const found: string[] = []
      for (const nodeId of nodeIds) {
        const { nodes } = await cdp.send('Accessibility.getPartialAXTree', {
          nodeId,
          fetchRelatives: false,
        })
        found.push(plain(nodes[0]?.name?.value ?? ''))
      }
      return found
    }
    const compare = async (path: string) => {
      // Both have loaded what they show.
      await soon(async () => {
        await page.waitForLoadState('networkidle')
        return (await tab.evaluate(mark, shown)) === (await page.evaluate(mark, shown))
      })
      let ours: string[] = []
      let theirs: string[] = []
      // A tree follows its document a moment later.
      await soon(async () => {
        theirs = await theirNames()
        ours = (await names(`.${shown}`)).map((one) => plain(one.slice(one.indexOf(' '))))
        return ours.join('\n') === theirs.join('\n')
      })
      const differ = ours
        .map((name, at) => [name, theirs[at]])
        .filter(([name, other]) => name !== other)
      promise(
        `${path}: ${ours.length} names in the same order`,
        ours.length > 5 && ours.length === theirs.length && differ.length === 0,
        [ours.length, theirs.length, differ.slice(0, 8)],
      )
      promise(`${path}: none is without a name`, !ours.includes(''), ours)
    }
    for (const path of ['/', '/services', '/faq', '/blog', '/consultation-form', '/careers']) {
      if (isOff(path)) continue
      await tab.goto(url + path)
      await page.goto(url + path)
      await compare(path)
    }
    for (const path of ['/admin', '/admin/contacts', '/admin/users', '/admin/site']) {
      // Another part may have signed in.
      if (path === '/admin') await tab.evaluate(() => localStorage.clear())
      await tab.goto(url + path)
      await page.goto(url + path)
      if (path === '/admin') {
        await wait(tab, '#email')
        await page.locator('#email').waitFor()
        await compare('the sign-in')
        await signInHere(tab)
        await page.locator('#email').fill(superuser.email)
        await page.locator('#password').fill(superuser.password)
        await page.getByRole('button', { name: 'Sign In' }).click()
      }
      await wait(tab, 'a[href="/admin/users"]')
      await page.locator('a[href="/admin/users"]').first().waitFor()
      const heading = path === '/admin' ? 'main h2' : 'main h1, main h2'
      await wait(tab, heading)
      await page.locator(heading).first().waitFor()
      await compare(path)
    }
    await other.close()
    await tab.close()
  },
}

async function signInHere(tab: Tab): Promise<void> {
  await tab.fill('#email', superuser.email)
  await tab.fill('#password', superuser.password)
  await press(tab, 'Sign In')
}

async function submitContact(url: string, email = 'reader@example.test'): Promise<void> {
  const answer = await fetch(`${url}/api/contacts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'A reader',
      email,
      message: 'Hello there',
    }),
  })
  if (!answer.ok) throw new Error(`A submission was answered ${answer.status}`)
}
