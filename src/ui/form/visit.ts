import type { Source } from '#contract/submission.ts'

/**
 * Where the visitor came from. The layout's inline script writes it on the first page of a visit and
 * the tab forgets it when it closes; there are no cookies.
 */
export const readSource = (): Source | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem('source') ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
