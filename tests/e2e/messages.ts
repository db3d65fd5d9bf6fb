import type { APIRequestContext, Page, Route } from '@playwright/test'
import type { KindPath } from '#contract/inbox.ts'
import { enterAs, goTo, ownWord } from './admin/fixtures.ts'
import {
  application,
  consultation,
  contact,
  type FormCase,
  fill,
  open,
  submitButton,
} from './forms/forms.ts'

/**
 * Every message of docs/messages.md that is shown, and the steps to it or the file that has them.
 * messages.spec.ts checks that the page shows it, messages.test.ts that list and document are the same.
 */

interface Stage {
  page: Page
  request: APIRequestContext
}

type Scenario = (stage: Stage) => Promise<void>

const broken = (route: Route) =>
  route.fulfill({ status: 500, json: { success: false, code: 'internal', message: '' } })

/** Makes the calls of a path and a method fail from now on. */
const breakCalls = (page: Page, path: RegExp, method: string) =>
  page.route(path, (route) =>
    route.request().method() === method ? broken(route) : route.fallback(),
  )

/** Pages that a scenario before has signed in. */
const entered = new WeakSet<Page>()

const asSuperuser = async ({ page, request }: Stage) => {
  if (entered.has(page)) return
  entered.add(page)
  await enterAs(page, request, 'superuser')
}

/** The account that the scenarios of users add, change and delete. */
const newUser = ownWord()

const openUsers = async (stage: Stage) => {
  const { page } = stage
  await asSuperuser(stage)
  if (!page.url().endsWith('/admin/users')) await page.goto('/admin/users')
}

const addUser = ({ page }: Stage) => page.getByRole('button', { name: 'Add User' }).click()

const updateUser = ({ page }: Stage) => page.getByRole('button', { name: 'Update User' }).click()

const deleteUser = async ({ page }: Stage) => {
  await page.getByRole('button', { name: `Delete ${newUser}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
}

const sendForm =
  (form: FormCase): Scenario =>
  async ({ page }) => {
    await page.route(`**${form.endpoint}`, broken)
    await open(page, form)
    await fill(page, form)
    await submitButton(page, form).click()
  }

const listFails =
  (kind: KindPath): Scenario =>
  async (stage) => {
    await stage.page.route(new RegExp(`/api/${kind}(/search)?(\\?|$)`), broken)
    await goTo(stage.page, `/admin/${kind}`)
  }

/** The scenarios of each message, by where it is shown; those of one place follow each other on one page. */
export const places: Record<string, Record<string, Scenario>> = {
  'the screen of users': {
    'Please fill in all required fields': async (stage) => {
      await openUsers(stage)
      await stage.page.getByRole('button', { name: 'Add New User' }).click()
      await addUser(stage)
    },
    'Passwords do not match': async (stage) => {
      const { page } = stage
      await page.getByLabel('Username').fill(newUser)
      await page.getByLabel('Email').fill(`${newUser}@example.test`)
      await page.getByLabel('Password', { exact: true }).fill('four grey geese glide')
      await addUser(stage)
    },
    'Failed to add user. Please try again.': async (stage) => {
      await breakCalls(stage.page, /\/api\/auth\/register$/, 'POST')
      await stage.page.getByLabel('Confirm Password').fill('four grey geese glide')
      await addUser(stage)
    },
    'User added successfully!': addUser,
    'Failed to update user. Please try again.': async (stage) => {
      const { page } = stage
      await breakCalls(page, /\/api\/users\/[^/]+$/, 'PUT')
      await page.getByRole('button', { name: `Edit ${newUser}` }).click()
      await page.getByLabel('Role').selectOption('reviewer')
      await updateUser(stage)
    },
    'User updated successfully!': updateUser,
    'Failed to delete user. Please try again.': async (stage) => {
      await breakCalls(stage.page, /\/api\/users\/[^/]+$/, 'DELETE')
      await deleteUser(stage)
    },
    'User deleted successfully!': deleteUser,
    'Failed to get profile': async (stage) => {
      await breakCalls(stage.page, /\/api\/auth\/me$/, 'GET')
      await stage.page.getByRole('button', { name: 'Check Permissions' }).click()
    },
  },
  'a form': {
    'Failed to send message. Please try again.': sendForm(contact),
    'Failed to submit consultation request. Please try again.': sendForm(consultation),
    'Failed to submit application. Please try again.': sendForm(application),
  },
  'the dashboard, the users or a list': {
    'Failed to load dashboard data. Please try again.': async (stage) => {
      await asSuperuser(stage)
      await stage.page.route('**/api/stats?*', broken)
      await stage.page.goto('/admin/dashboard')
    },
    'Failed to load users. Please try again.': async ({ page }) => {
      await page.route('**/api/users', broken)
      await goTo(page, '/admin/users')
    },
    'Failed to load consultations. Please try again.': listFails('consultations'),
    'Failed to load contact messages. Please try again.': listFails('contacts'),
  },
}

/** Messages that the tests of another file show, by that file. */
export const shownBy: Record<string, readonly string[]> = {
  'admin/sign-in.spec.ts': [
    'Please enter both username and password',
    'Invalid credentials',
    'An error occurred during login',
    'No token received from server',
    'Invalid response from server',
  ],
  'admin/inbox/trouble.spec.ts': [
    'Failed to load applications. Please try again.',
    'Failed to update status. Please try again.',
    'Failed to delete consultation. Please try again.',
    'Failed to delete application. Please try again.',
    'Failed to delete contact message. Please try again.',
  ],
}

export const shown: readonly string[] = [
  ...Object.values(places).flatMap((scenarios) => Object.keys(scenarios)),
  ...Object.values(shownBy).flat(),
]
