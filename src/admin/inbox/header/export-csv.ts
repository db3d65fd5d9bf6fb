import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { blindFor } from '../../record/blind.ts'
import type { Filter } from '../../record/record.ts'
import { askFile } from '../../session/session.ts'

/** A whole list may take a while. */
const patienceMs = 5 * 60_000

/** The filtered list as a file. As in lists, a search text stands in the body. */
export const exportCsv = (kind: KindPath, given: Filter): Promise<Blob> => {
  const filter = { ...given, ...blindFor(kind) }
  return filter.q
    ? askFile(anyKind[kind].exportBy, { body: filter }, { timeoutMs: patienceMs })
    : askFile(anyKind[kind].export, { query: filter }, { timeoutMs: patienceMs })
}
