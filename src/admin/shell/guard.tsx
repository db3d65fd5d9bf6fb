import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ApiError } from '#client/call.ts'
import { Button, LinkButton } from '../components/button.tsx'
import { ProblemPage } from '../components/problem-page.tsx'
import { type Location, navigate, urlOf, useLocation } from '../router/location.ts'
import { profileQuery } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { lapse, onRefused, useIsSignedIn, wasSignedOut } from '../session/session.ts'
import styles from './guard.module.css'
import { dismissNotice } from './notices.tsx'

const isAuthError = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403)

/** The sign-in, with the place to go on from there: none after a sign-out. */
export const signInUrl = (location: Location): string => {
  if (wasSignedOut()) return urlOf({ to: '/admin/login' })
  const { path, search, hash } = location
  return urlOf({ to: '/admin/login', search: { from: search ? `${path}?${search}` : path }, hash })
}

const checkProfile = (): void =>
  void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })

/**
 * Lets the signed-in pass. Only a rejected profile check ends the local session; a server out
 * of reach keeps it, and says so.
 */
export function Guard({ children }: { children: ReactNode }) {
  const location = useLocation((shown) => shown)
  const { path } = location
  const signedIn = useIsSignedIn()
  const { data, error, refetch, isFetching } = useQuery({
    ...profileQuery,
    enabled: signedIn,
    refetchInterval: (query) =>
      query.state.error && !isAuthError(query.state.error) ? 5_000 : false,
  })
  const refused = isAuthError(error)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of path is a new check
  useEffect(checkProfile, [path])
  useEffect(() => onRefused(checkProfile), [])

  // Leaves once: the login's address is already current before the login is drawn.
  const out = (!signedIn || refused) && path !== '/admin/login'
  useEffect(() => {
    if (!out) return
    // After a sign-out nothing is left to forget, or it is another person's.
    if (!wasSignedOut()) lapse()
    dismissNotice()
    // Changes that are not saved yet wait for the same person.
    queryClient.getQueryCache().clear()
    void navigate(signInUrl(location), { replace: true })
  }, [out, location])

  if (!signedIn || refused || (!data && !error)) return <Loading />
  if (!data)
    return (
      <main>
        <ProblemPage title="The server cannot be reached">
          <p role="status">
            You are still signed in. This page tries again by itself every few seconds.
          </p>
          <Button busy={isFetching && 'Trying...'} onClick={() => void refetch()}>
            Try again
          </Button>
        </ProblemPage>
      </main>
    )
  return (
    <>
      {error && (
        <p className={styles.offline} role="status">
          <span>The server cannot be reached. What you see may be out of date.</span>
          <LinkButton onClick={() => void refetch()}>Try again</LinkButton>
        </p>
      )}
      {children}
    </>
  )
}

export function Loading() {
  return (
    <p className={styles.loading} role="status">
      Loading...
    </p>
  )
}
