import type { APIRequestContext, Page, Route } from '@playwright/test'
import type { KindPath } from '#contract/inbox.ts'
import { enter, ownWord, signedIn, submit } from './admin/fixtures.ts'
import {
  application,
  consultation,
  contact,
  type FormCase,
  fill,
  open,
  submitButton,
} from './forms/forms.ts'
import { superuser } from './superuser.ts'

/**
 * Every message of docs/messages.md that is shown, and the steps to it. messages.spec.ts checks that
 * the page shows it, messages.test.ts that list and document are the same.
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

const signIn = async (page: Page, email: string, password: string) => {
  await page.goto('/admin/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Pages that a scenario before has signed in. */
const entered = new WeakSet<Page>()

const asSuperuser = async ({ page, request }: Stage) => {
  if (entered.has(page)) return
  entered.add(page)
  await enter(page, await signedIn(request, 'superuser'))
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
    await asSuperuser(stage)
    await stage.page.route(new RegExp(`/api/${kind}(/search)?(\\?|$)`), broken)
    await stage.page.goto(`/admin/${kind}`)
  }

const openRecord = async (stage: Stage, kind: KindPath) => {
  const word = ownWord()
  const { page, request } = stage
  await submit(request, kind, ['Corner bakery'], word)
  await asSuperuser(stage)
  await page.goto(`/admin/${kind}?q=${word}`)
  const list = page.getByRole('region', { name: 'List' })
  await list.getByRole('link', { name: 'Corner bakery' }).click()
}

const statusFails =
  (kind: KindPath, button: string): Scenario =>
  async (stage) => {
    await openRecord(stage, kind)
    await breakCalls(stage.page, new RegExp(`/api/${kind}/[^/]+$`), 'PUT')
    await stage.page.getByRole('button', { name: button }).click()
  }

const deletionFails =
  (kind: KindPath): Scenario =>
  async (stage) => {
    const { page } = stage
    await openRecord(stage, kind)
    await breakCalls(page, new RegExp(`/api/${kind}/[^/]+$`), 'DELETE')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  }

const openUsers = async (stage: Stage) => {
  await asSuperuser(stage)
  await stage.page.goto('/admin/users')
}

const addUser = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Add New User' }).click()
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.test`)
  await page.getByLabel('Password', { exact: true }).fill('four grey geese glide')
  await page.getByLabel('Confirm Password').fill('four grey geese glide')
  await page.getByRole('button', { name: 'Add User' }).click()
}

/** Opens the users screen and runs a step on a new user. */
const actOnUser = async (stage: Stage, action: 'Edit' | 'Delete', isBroken: boolean) => {
  const { page, request } = stage
  const { user } = await signedIn(request, 'editor')
  await openUsers(stage)
  if (isBroken) await breakCalls(page, /\/api\/users\/[^/]+$/, action === 'Edit' ? 'PUT' : 'DELETE')
  await page.getByRole('button', { name: `${action} ${user.username}` }).click()
  if (action === 'Delete')
    return page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('Role').selectOption('reviewer')
  await page.getByRole('button', { name: 'Update User' }).click()
}

/** The scenarios of each message, by where it is shown; those of one place can follow each other on one page. */
export const places: Record<string, Record<string, Scenario>> = {
  'the sign-in': {
    'Please enter both username and password': ({ page }) => signIn(page, '', ''),
    'Invalid credentials': ({ page }) => signIn(page, superuser.email, 'not the password'),
    'An error occurred during login': async ({ page }) => {
      await page.route('**/api/auth/login', (route) => route.abort())
      await signIn(page, superuser.email, superuser.password)
    },
    'No token received from server': async ({ page }) => {
      await page.route('**/api/auth/login', (route) => route.fulfill({ json: { success: true } }))
      await signIn(page, superuser.email, superuser.password)
    },
    'Invalid response from server': async ({ page }) => {
      await page.route('**/api/auth/login', (route) => route.fulfill({ json: {} }))
      await signIn(page, superuser.email, superuser.password)
    },
  },
  'the screen of users': {
    'Failed to get profile': async (stage) => {
      await openUsers(stage)
      await stage.page.getByText('you', { exact: true }).waitFor()
      await breakCalls(stage.page, /\/api\/auth\/me$/, 'GET')
      await stage.page.getByRole('button', { name: 'Check Permissions' }).click()
    },
    'Failed to load users. Please try again.': async (stage) => {
      await asSuperuser(stage)
      await stage.page.route('**/api/users', broken)
      await stage.page.goto('/admin/users')
    },
    'Please fill in all required fields': async (stage) => {
      await openUsers(stage)
      await stage.page.getByRole('button', { name: 'Add New User' }).click()
      await stage.page.getByRole('button', { name: 'Add User' }).click()
    },
    'Passwords do not match': async (stage) => {
      const { page } = stage
      await openUsers(stage)
      await page.getByRole('button', { name: 'Add New User' }).click()
      await page.getByLabel('Username').fill('somebody')
      await page.getByLabel('Email').fill('somebody@example.test')
      await page.getByLabel('Password', { exact: true }).fill('four grey geese glide')
      await page.getByRole('button', { name: 'Add User' }).click()
    },
    'Failed to add user. Please try again.': async (stage) => {
      await openUsers(stage)
      await breakCalls(stage.page, /\/api\/auth\/register$/, 'POST')
      await addUser(stage.page, ownWord())
    },
    'Failed to update user. Please try again.': (stage) => actOnUser(stage, 'Edit', true),
    'Failed to delete user. Please try again.': (stage) => actOnUser(stage, 'Delete', true),
    'User added successfully!': async (stage) => {
      await openUsers(stage)
      await addUser(stage.page, ownWord())
    },
    'User updated successfully!': (stage) => actOnUser(stage, 'Edit', false),
    'User deleted successfully!': (stage) => actOnUser(stage, 'Delete', false),
  },
  'a form': {
    'Failed to send message. Please try again.': sendForm(contact),
    'Failed to submit consultation request. Please try again.': sendForm(consultation),
    'Failed to submit application. Please try again.': sendForm(application),
  },
  'the dashboard or a list': {
    'Failed to load dashboard data. Please try again.': async (stage) => {
      await asSuperuser(stage)
      await stage.page.route('**/api/stats?*', broken)
      await stage.page.goto('/admin/dashboard')
    },
    'Failed to load consultations. Please try again.': listFails('consultations'),
    'Failed to load applications. Please try again.': listFails('applications'),
    'Failed to load contact messages. Please try again.': listFails('contacts'),
  },
  'a record': {
    'Failed to update status. Please try again.': statusFails('consultations', 'Mark as Contacted'),
    'Failed to delete consultation. Please try again.': deletionFails('consultations'),
    'Failed to delete application. Please try again.': deletionFails('applications'),
    'Failed to delete contact message. Please try again.': deletionFails('contacts'),
  },
}

export const shown: Record<string, Scenario> = Object.assign({}, ...Object.values(places))
