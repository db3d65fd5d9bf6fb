import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import { Screens } from './router.tsx'
import { queryClient } from './session/query-client.ts'
import { followOtherTabs, guardBackForwardCache } from './session/session.ts'

/** The admin: one application on every page below /admin. */
export function Admin() {
  useEffect(followOtherTabs, [])
  useEffect(guardBackForwardCache, [])
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Screens />
      </QueryClientProvider>
    </StrictMode>
  )
}
