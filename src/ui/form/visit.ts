import type { Source } from '#contract/submission.ts'

/**
 * Where the visitor came from. The layout's inline script stores it in `sessionStorage` on the first
 * page of a visit; there are no cookies.
 */
export const readSource = (): Source | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem('source') ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
