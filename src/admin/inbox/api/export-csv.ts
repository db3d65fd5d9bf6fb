import type { KindPath } from '#contract/inbox.ts'
import { askFile } from '../../shell/session.ts'
import { kindEndpoints } from './kind-endpoints.ts'
import type { Filter } from './record.ts'

/** A whole list may take a while. */
const patienceMs = 5 * 60_000

/** The filtered list as a file. As in lists, a search text stands in the body. */
export const exportCsv = (kind: KindPath, filter: Filter): Promise<Blob> =>
  filter.q
    ? askFile(kindEndpoints[kind].exportBy, { body: filter }, { timeoutMs: patienceMs })
    : askFile(kindEndpoints[kind].export, { query: filter }, { timeoutMs: patienceMs })
