import { logout } from '#contract/accounts/auth.ts'
import { ask, signOutHere } from './session.ts'

/** Whatever the server says, this browser forgets, and the guard leads to the sign-in. */
export const signOut = async (): Promise<void> => {
  await ask(logout, {}, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  signOutHere()
}
