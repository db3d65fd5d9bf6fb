import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'

/** Applications are judged in their own screen, where names may be hidden: a run leaves them out. */
export const runKinds = ['consultations', 'contacts'] as const satisfies readonly KindPath[]
export type RunKind = (typeof runKinds)[number]

/** The state in the URL of a run: the part of the work that it goes through. */
export interface RunSearch {
  /** One kind; both without it. */
  kind?: RunKind | undefined
  /** The records of one person; everybody's without it. */
  assignee?: string | undefined
}

/** Reads the URL; unknown values are ignored. */
export const runSearch = ({ kind, assignee }: Record<string, unknown>): RunSearch => {
  const known = runKinds.find((one) => one === kind)
  const isName =
    typeof assignee === 'string' &&
    assignee.length <= limits.username.max &&
    !/[\p{Cc}\p{Cs}]/u.test(assignee)
  return { ...(known ? { kind: known } : {}), ...(isName && assignee ? { assignee } : {}) }
}
