import { randomInt, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIRequestContext, Locator, Page } from '@playwright/test'
import type { Role } from '#contract/http/access.ts'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { samples } from '#server/intake/samples.ts'
import { brand, entries, entry, positionLabel, serviceLabel } from '#site/content.ts'
import { axeViolations } from '#tests/axe.ts'
import { test as base, expect, interceptFromStart, superuser } from '#tests/e2e/fixtures.ts'

/** The API's answer to a sign-in. */
interface SignedIn {
  token: string
  user: { id: string; username: string; email: string; role: Role; isSuperuser: boolean }
}

const ownIp = () => {
  const part = () => randomInt(1, 255)
  return { 'x-forwarded-for': `10.${part()}.${part()}.${part()}` }
}

const post = async <T>(
  request: APIRequestContext,
  path: string,
  data: object,
  token?: string,
): Promise<T> => {
  const answer = await request.post(path, {
    data,
    headers: { ...ownIp(), ...(token ? { authorization: `Bearer ${token}` } : {}) },
  })
  expect(answer.ok(), `${path} answers ${answer.status()}: ${await answer.text()}`).toBe(true)
  return (await answer.json()) as T
}

/** The worker's last session of each role, and the time until which it needs no other proof. */
const kept = new Map<Role, { session: SignedIn; until: number }>()

/** A session that many tests share: an account and its sign-in cost as much as opening a page. */
const sharedSession = async (request: APIRequestContext, role: Role): Promise<SignedIn> => {
  const last = kept.get(role)
  if (last && Date.now() < last.until) {
    const headers = { authorization: `Bearer ${last.session.token}` }
    // A test may have ended it, or had a host of its own.
    if ((await request.get('/api/auth/me', { headers })).ok()) return last.session
  }
  const until = Date.now() + (limits.stepUpMinutes / 2) * 60_000
  const account = role === 'superuser' ? superuser : accountOf(role)
  if (account !== superuser) await create(request, account)
  const session = await post<SignedIn>(request, '/api/auth/login', account)
  kept.set(role, { session, until })
  return session
}

/** The accounts that the running test made. */
const made: string[] = []

/**
 * Deletes the test's accounts after it. Every menu and list of staff shows all accounts: with those of all
 * tests in them, the screens take seconds.
 */
export const test = base.extend<{ deletesAccounts: undefined }>({
  deletesAccounts: [
    async ({ request }, use) => {
      await use(undefined)
      for (const id of made.splice(0)) {
        const { token } = await sharedSession(request, 'superuser')
        const headers = { ...ownIp(), authorization: `Bearer ${token}` }
        const answer = await request.delete(`/api/users/${id}`, { headers })
        // The test may have deleted the account itself.
        expect([200, 404]).toContain(answer.status())
      }
    },
    { auto: true },
  ],
})

const create = async (request: APIRequestContext, account: object): Promise<string> => {
  const { token } = await sharedSession(request, 'superuser')
  const path = '/api/auth/register'
  const { data } = await post<{ data: { _id: string } }>(request, path, account, token)
  return data._id
}

/** Makes an account, which is deleted after the test. */
export const register = async (request: APIRequestContext, account: object): Promise<void> => {
  made.push(await create(request, account))
}

const accountOf = (role: Role) => {
  const name = `${role}-${randomUUID().slice(0, 8)}`
  return {
    username: name,
    email: `${name}@example.test`,
    password: 'three quiet herons wade',
    role,
  }
}

/** Signs in a new member of staff with the given role, or the superuser. */
export const signedIn = async (request: APIRequestContext, role: Role): Promise<SignedIn> => {
  if (role === 'superuser') return sharedSession(request, role)
  const account = accountOf(role)
  await register(request, account)
  return post<SignedIn>(request, '/api/auth/login', account)
}

/**
 * The control, or the sign-in form in its place: when a session has ended on the server, a poll of the page
 * may notice before the test acts.
 */
export const orSignIn = (control: Locator): Locator =>
  control.or(control.page().getByLabel('Password')).first()

/** Stores a session in the browser, as after a sign-in. */
export const enter = async (page: Page, { token, user }: SignedIn): Promise<void> => {
  await page.addInitScript(
    ([key, who]) => {
      // Only on the first load: what the page removes stays removed.
      if (sessionStorage.getItem('entered')) return
      sessionStorage.setItem('entered', 'yes')
      localStorage.setItem('token', key ?? '')
      localStorage.setItem('adminAuthenticated', 'true')
      localStorage.setItem('currentUser', who ?? '')
    },
    [token, JSON.stringify(user)],
  )
}

/**
 * Enters as a member of staff with the given role, who keeps views, drafts and settings of earlier tests.
 * A test that counts these, or changes the account, takes a new one of `signedIn`.
 */
export const enterAs = async (
  page: Page,
  request: APIRequestContext,
  role: Role,
): Promise<SignedIn> => {
  const session = await sharedSession(request, role)
  await enter(page, session)
  return session
}

/** Goes on to a URL of the admin, as Back and Forward do. Loading the page anew costs twice as much. */
export const goTo = (page: Page, url: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, url)

/** A word that only this test's records contain, to search for. */
export const ownWord = (): string => `w${randomUUID().replaceAll('-', '').slice(0, 12)}`

const bodies: Record<KindPath, (name: string, word: string) => object> = {
  consultations: (name, word) => ({
    name,
    email: `${word}@example.test`,
    phone: '(123) 456-7890',
    service: samples.consultations.service,
    message: `We bake bread and want people to order a loaf. ${word} ${name}`,
    preferredDate: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
  }),
  applications: (name, word) => ({
    name,
    email: `${word}@example.test`,
    location: 'Pune',
    position: samples.applications.position,
    university: 'University of Examples',
    yearOfStudy: 2,
    major: 'Computer Science',
    portfolio: 'https://portfolio.example/me',
    coverLetter: `I would like to learn. ${word} ${name}`,
    resumeUrl: 'https://drive.example.com/file/cv',
  }),
  contacts: (name, word) => ({
    name,
    email: `${word}@example.test`,
    message: `Can you move our old site as well? ${word} ${name}`,
  }),
}

/** The position whose applications this site reads without names. */
export const blindPosition = entries('hiring').find(
  ({ id, data }) => data.blind && entry('openings', id)?.data.open,
)

/** Sends submissions through the public API, oldest first, and returns their ids. */
export const submit = async (
  request: APIRequestContext,
  kind: KindPath,
  names: readonly string[],
  word: string,
  more: object = {},
): Promise<string[]> => {
  const ids: string[] = []
  for (const name of names) {
    const body = { ...bodies[kind](name, word), ...more }
    const { data } = await post<{ data: { _id: string } }>(request, `/api/${kind}`, body)
    ids.push(data._id)
  }
  return ids
}

/** The one link of this form in the mails that the host has written into its mailbox for somebody. */
export const mailedLink = async (to: string, form: RegExp): Promise<string> => {
  const mailbox = join(process.env.E2E_DATA_DIR ?? '', 'mail')
  const links = () => [
    ...new Set(
      globSync(`${mailbox}/*.eml`)
        .map((file) => readFileSync(file, 'utf8'))
        .filter((mail) => mail.includes(`To: ${to}`))
        // Quoted-printable: a line that goes on ends with an equals sign.
        .flatMap((mail) => form.exec(mail.replaceAll('=\r\n', '')) ?? []),
    ),
  ]
  await expect.poll(links).toHaveLength(1)
  return links()[0] ?? ''
}

export const list = (page: Page) => page.getByRole('region', { name: 'List' })
export const detail = (page: Page) => page.getByRole('region', { name: 'Detail' })
export const row = (page: Page, name: string) => list(page).getByRole('link', { name })
export const notice = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text })

export const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `Person ${String(index + 1).padStart(2, '0')}`)

/** New records in the list of somebody of this role; answers the word that they alone contain. */
export const listNew = async (
  page: Page,
  request: APIRequestContext,
  kind: KindPath,
  names: readonly string[],
  role: Role,
): Promise<string> => {
  const word = ownWord()
  await submit(request, kind, names, word)
  await enterAs(page, request, role)
  await page.goto(`/admin/${kind}#q=${word}`)
  return word
}

/** A new record, open in the inbox of somebody of this role. */
export const openNew = async (
  page: Page,
  request: APIRequestContext,
  kind: KindPath,
  name: string,
  role: Role,
) => {
  await listNew(page, request, kind, [name], role)
  await list(page).getByRole('link', { name }).click()
  await expect(detail(page).getByText('Received from the website')).toBeVisible()
}

/** What somebody said, in the conversation of the open record. */
export const said = (page: Page, voice: string, text: string) =>
  detail(page).getByRole('listitem').filter({ hasText: voice }).getByText(text, { exact: true })

/** Opens the menu of statuses and boxes, and gives its part of that name. */
export const viewMenu = async (page: Page, part: 'Status' | 'Box') => {
  await page.getByRole('button', { name: /^View: / }).click()
  return page.getByRole('navigation', { name: part })
}

/** What a list's menu of rare tools offers under that name. */
export const tool = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  return page.getByRole('button', { name })
}

export { axeViolations } from '#tests/axe.ts'

/** The violations on a light phone and on a dark desktop; expected to be empty. The bench tries all four. */
export const axeEverywhere = async (page: Page): Promise<string[]> => {
  const found: string[] = []
  for (const [colorScheme, width] of [
    ['light', 390],
    ['dark', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    const violations = await axeViolations(page)
    found.push(...violations.map((violation) => `${colorScheme}, ${width} px: ${violation}`))
  }
  return found
}
export { expect, interceptFromStart, superuser }

/** The service and the position of the records that `submit` sends, as the site names them. */
export const requested = serviceLabel(String(samples.consultations.service))
export const appliedFor = positionLabel(String(samples.applications.position))

/** A title of the tab ends with it. */
export const brandName = brand().name

/** Sends at once what is not saved yet. The page's own next try may come first, and take the button away. */
export const tryNow = async (unsaved: Locator): Promise<void> => {
  const button = unsaved.getByRole('button', { name: 'Try now' })
  await Promise.race([button.click(), button.waitFor({ state: 'hidden' })])
}
