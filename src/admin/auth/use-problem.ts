import { useMemo } from 'react'
import { FormError } from '../components/form.tsx'
import type { Problem } from './auth-page.tsx'
import { problemFrom } from './use-sign-in.ts'

/** The problem of a failed call: one object for each error, so that it takes focus once. */
export const useProblem = (error: Error | null, failed: string): Problem | null =>
  useMemo(() => {
    if (error instanceof FormError) return { text: error.message }
    return error && problemFrom(error, failed)
  }, [error, failed])
