import { axeViolations, enterAs, expect, mailedLink, ownWord, signedIn, test } from './fixtures.ts'

const password = 'four grey geese glide'

test('an invited colleague chooses a password by the link, which is shown once and works once; the form says what each role may do', async ({
  page,
  browser,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  const name = ownWord()
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Invite' }).dblclick()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('alert')).toContainText('Please fill in all required fields')
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Email').fill(`${name}@example.test`)
  const role = page.getByLabel('Role')
  await role.selectOption('reviewer')
  await expect(role).toHaveAccessibleDescription(/^May read records/)
  await expect(role).not.toHaveAccessibleDescription(/change records/)
  await role.selectOption('editor')
  await expect(role).toHaveAccessibleDescription(/^May read records.* change records/)
  await page.getByLabel('Username').fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${name}@example.test is invited.`)).toBeVisible()
  const link = (await page.getByLabel('Link of the invitation').textContent()) ?? ''
  expect(await axeViolations(page)).toEqual([])
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('editor')

  const { hash } = new URL(link)
  const colleague = await browser.newContext()
  const theirs = await colleague.newPage()
  const url = new URL(page.url()).origin
  await theirs.setViewportSize({ width: 320, height: 640 })
  await theirs.goto(`${url}/admin/invitation${hash}`)
  await expect(theirs.getByText(`${name}@example.test`)).toBeVisible()
  await expect(theirs).toHaveURL(`${url}/admin/invitation`)
  expect(await axeViolations(theirs)).toEqual([])
  await expect(theirs.getByLabel('Username')).toHaveValue(name)
  await theirs.getByLabel('Password', { exact: true }).fill(password)
  await theirs.getByLabel('Confirm password').fill(password)
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByRole('heading', { name: `Hello, ${name}` })).toBeVisible()

  await theirs.goto(`${url}/admin/invitation${hash}`)
  await expect(theirs.getByRole('heading', { name: 'No invitation here' })).toBeVisible()
  await colleague.close()
})

test('an invitation that is on its way cannot be cancelled: its link is still to be shown; then it is taken back', async ({
  page,
  request,
}) => {
  const email = `${ownWord()}@example.test`
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill(email)
  const { promise: pressed, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/users/invitations', async (route) => {
    if (route.request().method() === 'POST') await pressed
    await route.continue()
  })
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('button', { name: 'Inviting...' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click({ force: true })
  answer()
  await expect(page.getByLabel('Link of the invitation')).toBeVisible()
  await page.getByRole('button', { name: `Take back the invitation of ${email}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click()
  await expect(page.getByRole('row', { name: new RegExp(email) })).toBeHidden()
})

test('a forgotten password is set by the mailed link, once; every address is answered the same', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 40[14]/)
  const { user } = await signedIn(request, 'reviewer')
  const answer = page.getByRole('status')
  for (const email of [`${ownWord()}@example.test`, user.email]) {
    await page.goto('/admin/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    // The sign-in screen has a field of this name too.
    await expect(page).toHaveURL(/\/admin\/reset$/)
    await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await expect(answer).toContainText('If there is an account with this address')
  }
  expect(await axeViolations(page)).toEqual([])

  await page.setViewportSize({ width: 320, height: 640 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const link = await mailedLink(user.email, /\/admin\/reset#[\w-]+/)
  const setPassword = async () => {
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/reset$/)
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Confirm password').fill(password)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
  }
  await setPassword()
  await expect(answer).toHaveText('Your password is changed. Sign in with the new one.')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `Hello, ${user.username}` })).toBeVisible()

  await setPassword()
  await expect(page.getByRole('alert')).toContainText('This link no longer works.')
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})
