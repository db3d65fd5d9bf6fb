import type { Page } from '@playwright/test'
import type { SetupItem } from '#contract/setup.ts'
import { axeViolations, enterAs, expect, test } from './fixtures.ts'

/** The server's list with other states: the accounts and mails of other tests change the real one. */
const withSetup = async (page: Page, states: Partial<Record<string, SetupItem['state']>>) => {
  const change = (items: SetupItem[]) =>
    items.map((item) => ({
      ...item,
      state: states[item.key] ?? 'open',
      now: null,
      ...(item.parts ? { count: 4, parts: [{ collection: 'positions', count: 4 }] } : {}),
    }))
  await page.route('**/api/setup', async (route) => {
    const { data } = await (await route.fetch()).json()
    await route.fulfill({ json: { success: true, data: change(data) } })
  })
  await page.route('**/api/setup/*', async (route) => {
    const key = new URL(route.request().url()).pathname.split('/').at(-1) ?? ''
    states[key] = route.request().postDataJSON().state
    const { data } = await (await route.fetch()).json()
    await route.fulfill({ json: { success: true, data: change(data) } })
  })
}

test('the set-up list does each step in its place, with the answer of the server to a test mail, and nothing waits is not said beside it', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 500/)
  await enterAs(page, request, 'superuser')
  const states: Partial<Record<string, SetupItem['state']>> = {
    password: 'done',
    site_address: 'done',
  }
  await withSetup(page, states)
  await page.goto('/admin/dashboard')
  const list = page.getByRole('region', { name: 'Set up your site' })
  await expect(list).toContainText('2 of 9 done.')
  await expect(list.getByRole('listitem')).toHaveCount(9)
  await expect(page.getByText('Nothing waits for you.')).toHaveCount(0)
  expect(await axeViolations(page)).toEqual([])

  await list.getByRole('button', { name: 'Skip Backup' }).click()
  await expect(list).toContainText('2 of 9 done, 1 skipped.')
  await list.getByRole('button', { name: 'Take up again Backup' }).click()
  await expect(list.getByRole('button', { name: 'Skip Backup' })).toBeVisible()

  let answer: object = { sent: false, problem: '403: the domain is not verified' }
  await page.route('**/api/setup/mail/test', (route) => {
    const data = {
      to: 'owner@example.test',
      at: '2026-11-20T09:12:00.000Z',
      local: false,
      ...answer,
    }
    return route.fulfill({ json: { success: true, data } })
  })
  const row = page.getByRole('listitem').filter({ hasText: 'Answers leave only when this works.' })
  await row.getByRole('button', { name: 'Send a test mail' }).click()
  await expect(row.getByRole('alert')).toContainText('Not sent: 403: the domain is not verified')
  expect(await axeViolations(page)).toEqual([])
  await page.route(
    '**/api/setup/mail/test',
    (route) =>
      route.fulfill({ status: 500, json: { success: false, code: 'internal', message: '' } }),
    { times: 1 },
  )
  await row.getByRole('button', { name: 'Try again' }).click()
  await expect(row.getByRole('alert')).toContainText(
    'Not sent: The server cannot answer at the moment.',
  )
  answer = { sent: true, problem: null }
  states.mail = 'done'
  await row.getByRole('button', { name: 'Try again' }).click()
  await expect(
    page.getByRole('listitem').filter({ hasText: 'to owner@example.test' }),
  ).toContainText('Mail')

  await list.getByRole('button', { name: 'Read them' }).click()
  await expect(page.getByRole('dialog', { name: 'Templates' })).toContainText('First answer')
  await page.getByRole('button', { name: 'Close' }).click()

  await expect(page.getByRole('link', { name: 'Replace Positions' })).toHaveAttribute(
    'href',
    '/admin/site?collection=positions',
  )
  await list.getByRole('link', { name: 'Invite someone' }).click()
  await expect(page.getByRole('heading', { name: 'Invite a colleague' })).toBeVisible()
})

test('with little left the list is one line, and gone once all is done or skipped', async ({
  page,
  request,
}) => {
  await enterAs(page, request, 'superuser')
  const states: Partial<Record<string, SetupItem['state']>> = {
    password: 'done',
    second_factor: 'skipped',
    site_address: 'done',
    mail: 'done',
    reply_address: 'done',
    colleagues: 'done',
    templates: 'done',
  }
  await withSetup(page, states)
  await page.goto('/admin/dashboard')
  const line = page.getByRole('region', { name: 'Set up your site' })
  await expect(line).toContainText('2 of 9 left to set up: sample texts, backup')
  await line.getByRole('button', { name: 'Show the list' }).click()
  await page.getByRole('button', { name: 'Skip Backup' }).click()
  await expect(line).toContainText('2 skipped')
  await page.getByRole('button', { name: 'Skip Sample texts' }).click()
  await expect(page.getByRole('region', { name: 'Set up your site' })).toHaveCount(0)
})
