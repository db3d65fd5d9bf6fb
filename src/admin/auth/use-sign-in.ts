import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#client/call.ts'
import type { SignedIn } from '#contract/accounts/auth.ts'
import { navigate } from '../router/location.ts'
import { profileQuery } from '../session/profile.ts'
import { returnRoute } from '../session/return-route.ts'
import { isOutage, keepSession, sentenceOf } from '../session/session.ts'
import type { Problem } from './auth-page.tsx'

/** The server's error message; without an answer of its own, what to do. */
export const problemFrom = (error: unknown, fallback: string): Problem => {
  const text = sentenceOf(error, fallback)
  if (!isOutage(error)) return { text }
  const isUnreachable = error instanceof ApiError && error.status === 0
  return {
    text,
    advice: isUnreachable
      ? 'The server cannot be reached. Check your connection, then try again.'
      : 'The server cannot answer at the moment. Try again in a minute.',
  }
}

/** Keeps a session and goes where the person wanted to go. */
export const useSignIn = (from?: string): ((answer: SignedIn) => Promise<void>) => {
  const client = useQueryClient()
  return async ({ token, user }) => {
    keepSession(token, user)
    client.getQueryCache().clear()
    client.setQueryData(profileQuery.queryKey, user)
    await navigate(`${returnRoute(from, location.origin)}${location.hash}`, { replace: true })
  }
}
