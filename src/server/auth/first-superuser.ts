import { randomBytes } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import { hashPassword } from '#server/password/hash.ts'
import { addFirstSuperuser, findStaff, promoteOldestAdmin } from './store/first-superuser.ts'

/**
 * Sees to it, at every start, that somebody can manage the product. Where nobody is there yet the
 * first superuser is made of the environment; where no superuser is left the oldest admin becomes one.
 *
 * @returns what must be told once: the first superuser's e-mail and generated password; null
 * where there is nothing to tell.
 */
export const ensureFirstSuperuser = async ({
  config,
  db,
  log,
}: Pick<Deps, 'config' | 'db' | 'log'>): Promise<{ email: string; password: string } | null> => {
  const staff = await findStaff(db)
  if (staff.superuser) return null
  if (staff.anybody) {
    const userId = await promoteOldestAdmin(db)
    if (userId) log({ level: 'warn', event: 'oldest_admin_promoted', userId })
    return null
  }

  const { email, username, password } = config.firstSuperuser
  const chosen = password ?? randomBytes(18).toString('base64url')
  const hash = await hashPassword(chosen)
  if (!(await addFirstSuperuser(db, { username, email, hash }))) return null
  log({ level: 'info', event: 'first_superuser_created' })
  return password === undefined ? { email, password: chosen } : null
}
