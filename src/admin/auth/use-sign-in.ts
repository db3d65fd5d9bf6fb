import type { SignedIn } from '#contract/accounts/auth.ts'
import { navigate } from '../router/location.ts'
import { profileQuery } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { returnRoute } from '../session/return-route.ts'
import { keepSession } from '../session/session.ts'

/** Leaves the sign-in for the place where the person wanted to go. */
export const goOn = (from?: string): Promise<void> =>
  navigate(`${returnRoute(from, location.origin)}${location.hash}`, { replace: true })

export const useSignIn =
  (from?: string): ((answer: SignedIn) => Promise<void>) =>
  async ({ token, user }) => {
    keepSession(token, user)
    queryClient.getQueryCache().clear()
    queryClient.setQueryData(profileQuery.queryKey, user)
    await goOn(from)
  }
