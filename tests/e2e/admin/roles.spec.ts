import { screenList } from '#admin/screens.ts'
import { type Access, may, type Role } from '#contract/http/access.ts'
import { brandName, enter, expect, signedIn, test } from './fixtures.ts'

/** Every screen for roles that may not see it; actions on the screens are in users.spec.ts. */

const mayNot = (role: Role, right: Access) => right !== 'public' && !may(role, right)

// The account is everybody's, and the run explains a missing right itself.
const restricted = screenList.filter(
  ({ right, path, isBare }) => mayNot('user', right) && path !== '/admin' && !isBare,
)
const closedTo = (['user', 'reviewer', 'editor', 'admin'] as const).map((role) => {
  const closed = restricted.filter(({ right }) => mayNot(role, right))
  return [role, closed.map(({ path }) => path)] as const
})

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
      await page.goto(screen)
      await expect(main.getByText('You do not have access to this area.')).toBeVisible()
      await expect(main.getByText(staff.user.email)).toBeVisible()
      await expect(page.getByRole('link', { name: /^(Audit log|Privacy)$/ })).toHaveCount(0)
    }
    for (const { path, title } of restricted.filter((screen) => !closed.includes(screen.path))) {
      // As by Back and Forward: a page that is loaded anew costs twice as much.
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      await expect(page).toHaveTitle(`${title} | ${brandName}`)
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(main.getByText('You do not have access to this area.')).toBeHidden()
    }
    if (role === 'user')
      await expect(page.getByRole('navigation', { name: 'Admin' }).getByRole('link')).toHaveCount(0)
    expect(refused).toEqual([])
  })
