import { existsSync } from 'node:fs'
import { type ListedScreen, screenList } from '#admin/screens.ts'
import { isPublic, readPages } from '#site/build/pages.ts'

/**
 * The paths of all public pages of the built site; a form prerendered for one position or service
 * counts as the form.
 *
 * @throws Error where there are none, so that a test of every page never passes without a page
 */
export const publicPages = (): string[] => {
  const paths = (existsSync('dist') ? readPages('dist') : [])
    .filter(isPublic)
    .filter(({ path, root }) => {
      const canonical = root.querySelector('link[rel=canonical]')?.getAttribute('href')
      return canonical !== undefined && new URL(canonical).pathname === path
    })
    .map(({ path }) => path)
  if (paths.length === 0) throw new Error('There are no pages: run `npm run build` first')
  return paths
}

const adminPaths = (isWanted: (screen: ListedScreen) => boolean): string[] =>
  screenList.filter(isWanted).map(({ path }) => path)

const isDouble = ({ path }: ListedScreen): boolean => path === '/admin'

/** Screens of the admin for somebody who is signed in. */
export const staffScreens = adminPaths((screen) => screen.right !== 'public' && !isDouble(screen))

/** Screens that a mailed link leads to. */
export const linkScreens = ['/admin/reset', '/admin/invitation']

export const adminScreens = adminPaths((screen) => !isDouble(screen))
