import {
  axeEverywhere,
  axeViolations,
  enter,
  enterAs,
  expect,
  goTo,
  interceptFromStart,
  ownWord,
  signedIn,
  submit,
  superuser,
  test,
  tool,
} from './fixtures.ts'

const password = 'four grey geese glide'

test('a superuser adds, changes and deletes a user', async ({ page, request, expectErrors }) => {
  // The name that is taken.
  expectErrors(/status of 400/)
  const name = ownWord()
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Add New User' }).click()
  await expect(page.getByText('Inviting is safer')).toBeVisible()
  await page.getByRole('button', { name: 'Add User' }).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary).toContainText('Please fill in all required fields')
  await expect(summary.getByRole('link')).toHaveText([
    'Username is missing.',
    'Email is missing.',
    'Password is missing.',
    'Confirm Password is missing.',
  ])
  await summary.getByRole('link', { name: 'Email is missing.' }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is missing.')
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Username').fill(superuser.username)
  await page.getByLabel('Email').fill(`${name}@example.test`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill('something else')
  await page.getByRole('button', { name: 'Add User' }).click()
  await expect(summary).toContainText('Passwords do not match')
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Add User' }).click()
  await expect(summary).toContainText('already exists')
  await page.getByLabel('Username').fill(name)
  await page.getByRole('button', { name: 'Add User' }).click()
  await expect(page.getByText('User added successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Add New User' })).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: `${name}@example.test` })
  await expect(row).toContainText('admin')

  await row.getByRole('button', { name: /^Edit/ }).click()
  await expect(page.getByLabel('Role').getByRole('option')).toHaveText([
    'user',
    'reviewer',
    'editor',
    'admin',
    'superuser',
  ])
  await page.getByLabel('Role').selectOption('editor')
  const sent = page.waitForRequest((call) => call.method() === 'PUT')
  await page.getByRole('button', { name: 'Update User' }).click()
  expect((await sent).postDataJSON()).toEqual({ role: 'editor', version: 1 })
  await expect(page.getByText('User updated successfully!')).toBeVisible()
  await expect(row).toContainText('editor')
  await expect(page.getByLabel('Role')).toBeHidden()

  await row.getByRole('button', { name: /^End sessions/ }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(/calendar.* notifications .*Tokens .* go on/)
  await question.getByRole('button', { name: 'Cancel' }).click()

  await row.getByRole('button', { name: /^Delete/ }).click()
  await expect(question).toContainText(
    'Are you sure you want to delete this user? This action cannot be undone.',
  )
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(
    page.getByRole('status').filter({ hasText: 'User deleted successfully!' }),
  ).toBeVisible()
  await expect(row).toBeHidden()

  await goTo(page, '/admin/audit')
  const entries = page.getByRole('row').filter({ hasText: name })
  await expect(entries.filter({ hasText: 'Added a user' })).toContainText(
    `username: ${name}, email, role: admin, password`,
  )
  await expect(entries.filter({ hasText: 'Deleted a user' })).toContainText('role: editor')
  await expect(page.getByText('role: admin → editor').first()).toBeVisible()
})

test('focus that a closed form or a deleted account takes away goes to what is still there, a user whom somebody else has deleted leaves the list, and people change their own password on the account page', async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/status of 404/)
  const { user } = await signedIn(request, 'reviewer')
  const { user: other } = await signedIn(request, 'reviewer')
  const boss = await enterAs(page, request, 'superuser')
  await page.goto('/admin/users')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button(`Edit ${user.username}`).press('Enter')
  await expect(page.getByLabel('Username')).toBeFocused()
  await button('Cancel').press('Enter')
  await expect(button(`Edit ${user.username}`)).toBeFocused()
  await button('Invite').press('Enter')
  await button('Cancel').press('Enter')
  await expect(button('Invite')).toBeFocused()
  await button(`Delete ${user.username}`).press('Enter')
  await button('Delete').press('Enter')
  await expect(button(`Delete ${user.username}`)).toHaveCount(0)
  await expect(button('Invite')).toBeFocused()

  const row = page.getByRole('row').filter({ hasText: other.email })
  await row.getByRole('button', { name: /^Delete/ }).click()
  const headers = { authorization: `Bearer ${boss.token}` }
  expect((await request.delete(`/api/users/${other.id}`, { headers })).ok()).toBe(true)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)

  const own = page.getByRole('row').filter({ has: page.getByText('you', { exact: true }) })
  await own.getByRole('button', { name: /^Edit/ }).click()
  await expect(page.getByRole('button', { name: 'Update User' })).toBeVisible()
  await expect(page.getByLabel('New Password')).toBeHidden()
  await page.getByRole('link', { name: 'Change your password on your account page' }).click()
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
})

test.describe('with a conflict', () => {
  test('an outdated form reverts nothing and loses nothing typed', async ({
    page,
    request,
    expectErrors,
  }) => {
    expectErrors(/status of 409/)
    const { user: other } = await signedIn(request, 'admin')
    const boss = await signedIn(request, 'superuser')
    const demote = async (role: string) => {
      const answer = await request.put(`/api/users/${other.id}`, {
        data: { role },
        headers: { authorization: `Bearer ${boss.token}` },
      })
      expect(answer.ok()).toBe(true)
    }
    const name = ownWord()
    await interceptFromStart(page)
    await enter(page, boss)
    await page.goto('/admin/users')
    const edit = page.getByRole('button', { name: `Edit ${other.username}` })
    await edit.click()
    await demote('reviewer')
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('New Password').fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    await page.getByRole('button', { name: 'Update User' }).click()
    const question = page.getByRole('alertdialog', { name: 'Someone else was faster' })
    await expect(question.getByRole('row', { name: 'Role reviewer the same' })).toBeVisible()
    await expect(
      question.getByRole('row', { name: `Username ${other.username} ${name}` }),
    ).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(page.getByLabel('Username')).toHaveValue(name)
    await expect(page.getByLabel('New Password')).toHaveValue(password)
    await expect(page.getByLabel('Role')).toHaveValue('reviewer')

    await demote('user')
    await page.getByRole('button', { name: 'Update User' }).click()
    await question.getByRole('button', { name: 'Save my change' }).click()
    await expect(page.getByText('User updated successfully!')).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: other.email })
    await expect(row).toContainText(name)
    await expect(row.getByRole('cell', { name: 'user', exact: true })).toBeVisible()

    await page.getByRole('button', { name: `Edit ${name}` }).click()
    await demote('editor')
    await page.getByLabel('Role').selectOption('admin')
    await page.getByRole('button', { name: 'Update User' }).click()
    await question.getByRole('button', { name: 'Keep what is saved' }).click()
    await expect(page.getByLabel('Role')).toHaveValue('editor')

    // What is typed while it is sent stays, too.
    await demote('reviewer')
    const release = Promise.withResolvers<void>()
    await page.route(`**/api/users/${other.id}`, async (route) => {
      await release.promise
      await route.continue()
    })
    await page.getByLabel('Role').selectOption('admin')
    await page.getByRole('button', { name: 'Update User' }).click()
    await page.getByLabel('Username').fill(`${name}-later`)
    release.resolve()
    await expect(
      question.getByRole('row', { name: `Username ${name} ${name}-later` }),
    ).toBeVisible()
  })
})

for (const role of ['reviewer', 'editor', 'admin'] as const)
  test(`the role ${role} sees no control that it may not use, and reads who may`, async ({
    page,
    request,
  }) => {
    const word = ownWord()
    await submit(request, 'consultations', ['Somebody'], word)
    await enterAs(page, request, role)
    await page.goto('/admin/users')
    await expect(page.getByText('No actions available').first()).toBeVisible()
    await expect(page.getByText('Only superusers invite people')).toContainText(superuser.username)
    for (const name of ['Invite', 'Add New User'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await page.getByRole('button', { name: 'Check Permissions' }).click()
    await expect(page.getByRole('status').filter({ hasText: role })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Audit log' })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Privacy' })).toBeHidden()

    await goTo(page, `/admin/consultations#q=${word}`)
    await page.getByRole('region', { name: 'List' }).getByRole('link', { name: 'Somebody' }).click()
    const detail = page.getByRole('region', { name: 'Detail' })
    await expect(detail.getByText('Received from the website')).toBeVisible()
    const visible = (is: boolean) => ({ visible: is })
    const changes = visible(role !== 'reviewer')
    const removes = visible(role === 'admin')
    const button = (name: string) => page.getByRole('button', { name })
    await expect(button('Mark as Contacted')).toBeVisible(changes)
    await expect(button('Add a note')).toBeVisible(changes)
    await expect(button('Delete')).toBeVisible(removes)
    await expect(await tool(page, 'All keys')).toBeVisible()
    await expect(button('Download CSV')).toBeVisible(removes)
  })

test('axe finds nothing on the users screen with a form or a question open, in both themes and on a phone', async ({
  page,
  request,
}) => {
  await signedIn(request, 'editor')
  await enterAs(page, request, 'superuser')
  await page.goto('/admin/users')
  await expect(page.getByText(/^editor-/).first()).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await page.getByRole('button', { name: 'Check Permissions' }).click()
  await page.getByRole('button', { name: 'Add New User' }).click()
  await page.getByRole('button', { name: 'Add User' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await page.getByRole('button', { name: /^Edit/ }).first().click()
  await expect(page.getByRole('button', { name: 'Update User' })).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(await axeEverywhere(page)).toEqual([])
})
