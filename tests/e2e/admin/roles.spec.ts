import { enter, expect, signedIn, test } from './fixtures.ts'

/** Every screen for roles that may not see it; actions on the screens are in users.spec.ts. */

const screens = [
  'dashboard',
  'consultations',
  'applications',
  'contacts',
  'users',
  'mail',
  'audit',
  'privacy',
]

const closedTo: [role: 'user' | 'reviewer' | 'editor' | 'admin', screens: string[]][] = [
  ['user', screens],
  ['reviewer', ['audit', 'privacy']],
  ['editor', ['audit', 'privacy']],
  ['admin', ['audit', 'privacy']],
]

for (const [role, closed] of closedTo)
  test(`the role ${role} sees only its own screens, and no call is made that must fail`, async ({
    page,
    request,
  }) => {
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
    })
    const staff = await signedIn(request, role)
    await enter(page, staff)
    const main = page.getByRole('main')
    for (const screen of closed) {
      await page.goto(`/admin/${screen}`)
      await expect(main.getByText('You do not have access to this area.')).toBeVisible()
      await expect(main.getByText(staff.user.email)).toBeVisible()
      await expect(page.getByRole('link', { name: /^(Audit log|Privacy)$/ })).toHaveCount(0)
    }
    for (const screen of screens.filter((other) => !closed.includes(other))) {
      await page.goto(`/admin/${screen}`)
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(main.getByText('You do not have access to this area.')).toBeHidden()
    }
    if (role === 'user')
      await expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link')).toHaveCount(0)
    expect(refused).toEqual([])
  })
