import type { APIRequestContext, Page } from '@playwright/test'
import type { Role } from '#contract/http/access.ts'
import { superuser } from '#tests/e2e/fixtures.ts'
import { end, newFolder, serve } from '#tests/launch.ts'
import { freePort } from '#tests/postgres.ts'
import { test as base, enterAs, expect, goTo, signedIn } from './fixtures.ts'

/** Tests of the desk change what the site says: they have a host and a database of their own. */
export const test = base.extend<
  { clean: undefined; enterAs: (page: Page, role: Role) => Promise<string> },
  { site: string; host: string }
>({
  /** Files with different names for their site share no host. */
  site: ['', { option: true, scope: 'worker' }],
  host: [
    async ({ site: _ }, use) => {
      const started = await serve({
        // Links name the port.
        PORT: String(await freePort()),
        DATA_DIR: newFolder(),
        TRUST_PROXY: '1',
        ADMIN_EMAIL: superuser.email,
        ADMIN_USERNAME: superuser.username,
        ADMIN_PASSWORD: superuser.password,
      })
      await use(started.url)
      await end(started.process)
    },
    { scope: 'worker' },
  ],
  baseURL: ({ host }, use) => use(host),
  /** Each test begins with what is published. */
  clean: [
    async ({ request }, use) => {
      const { token } = await signedIn(request, 'superuser')
      for (const { collection, id } of (await call(request, token, 'GET', 'changes')).data)
        await call(request, token, 'POST', `${collection}/${id}/discard`)
      await use(undefined)
    },
    { auto: true },
  ],
  enterAs: ({ request }, use) =>
    use(async (page, role) => (await enterAs(page, request, role)).token),
})

/** A picture of one point. */
export const point = {
  name: 'point.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** A call of the content API. */
export const call = async (
  request: APIRequestContext,
  token: string,
  method: string,
  path: string,
  data?: object,
) => {
  const answer = await request.fetch(`/api/content${path && `/${path}`}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(data ? { data } : {}),
  })
  return answer.json()
}

const urlOf = (collection: string, id?: string) =>
  `/admin/site?collection=${collection}${id ? `&entry=${id}` : ''}`

/** Opens an entry, and waits for its form and page. */
export const openEntry = async (page: Page, collection: string, id?: string): Promise<void> => {
  await page.goto(urlOf(collection, id))
  await form(page).getByRole('heading', { level: 2 }).first().waitFor()
}

/** Goes from an open entry to one with another heading. */
export const goToEntry = async (page: Page, collection: string, id?: string): Promise<void> => {
  const heading = form(page).getByRole('heading', { level: 2 }).first()
  const before = (await heading.textContent()) ?? ''
  await goTo(page, urlOf(collection, id))
  await expect(heading).not.toHaveText(before)
}

export const form = (page: Page) => page.getByRole('region', { name: 'Form', exact: true })

export const list = (page: Page) => page.getByRole('navigation', { name: 'Texts of the site' })

/** The page in the preview, with what is stored. */
export const preview = (page: Page) => page.frameLocator('iframe[title^="Preview of"]')

export const isSaved = (page: Page) => form(page).getByRole('status').getByText('Saved as a draft')

/** Holds the answers to new pictures until it is called. */
export const holdPictures = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/content/images', async (route) => {
    if (route.request().method() === 'POST') await promise
    await route.continue()
  })
  return resolve
}

/** Stores no draft of an entry until the route is removed. */
export const refuseDrafts = (page: Page, path: string) =>
  page.route(`**/api/content/${path}`, (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionrefused') : route.continue(),
  )
