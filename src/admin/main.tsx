import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import * as z from 'zod/mini'
import { router } from './router.tsx'
import { queryClient } from './session/query-client.ts'
import { followOtherTabs, guardBackForwardCache } from './session/session.ts'

// The page's policy forbids code made from text, which the schemas would otherwise try for speed.
z.config({ jitless: true })

/** The admin: one application on every page below /admin. */
export function Admin() {
  useEffect(followOtherTabs, [])
  useEffect(guardBackForwardCache, [])
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}
