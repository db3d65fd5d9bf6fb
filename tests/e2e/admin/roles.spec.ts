import { screenList } from '#admin/screens.ts'
import { type Access, may, type Role } from '#contract/http/access.ts'
import { kindPaths } from '#contract/inbox.ts'
import { brandName, enter, expect, goTo, signedIn, test } from './fixtures.ts'

/** Every screen for roles that may not see it; actions on the screens are in users.spec.ts. */

const mayNot = (role: Role, right: Access) => right !== 'public' && !may(role, right)

// The account is everybody's, and the run explains a missing right itself.
const restricted = screenList.filter(
  ({ right, path, isBare }) => mayNot('user', right) && path !== '/admin' && !isBare,
)
/** Their pages ask for more than the profile before any script runs. */
const askingEarly = kindPaths.map((kind) => `/admin/${kind}`)

for (const role of ['user', 'reviewer', 'editor', 'admin'] as const)
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
    const closed = restricted.filter(({ right }) => mayNot(role, right))
    for (const { path, title } of closed) {
      const isLoaded = path === closed[0]?.path || askingEarly.includes(path)
      await (isLoaded ? page.goto(path) : goTo(page, path))
      await expect(page).toHaveTitle(`${title} | ${brandName}`)
      await expect(main.getByText('You do not have access to this area.')).toBeVisible()
      await expect(main.getByText(staff.user.email)).toBeVisible()
      await expect(page.getByRole('link', { name: /^(Audit log|Privacy)$/ })).toHaveCount(0)
    }
    for (const { path, title } of restricted.filter((screen) => !closed.includes(screen))) {
      await goTo(page, path)
      await expect(page).toHaveTitle(`${title} | ${brandName}`)
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(main.getByText('You do not have access to this area.')).toBeHidden()
    }
    if (role === 'user')
      await expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link')).toHaveCount(0)
    expect(refused).toEqual([])
  })
