import { anyKind } from '#contract/kinds.ts'
import { savedOf } from '../changes/edits.ts'
import { makeChange } from '../changes/make-change.ts'
import { blind } from '../components/candidate.ts'
import { ask } from '../session/session.ts'
import type { KindView } from './kinds/kind-view.ts'
import type { RecordDetail } from './record.ts'

/** Exempts a record from the retention rules, or lets them apply again. */
export const keepRecord = (view: KindView, record: RecordDetail, keep: boolean): void => {
  makeChange({
    kind: view.kind,
    edits: [{ record, patch: keep ? { expiresAt: null } : {} }],
    text: keep ? `${record.name} is kept` : `${record.name} follows the retention rules again`,
    failure: 'Failed to change how long this is kept. Please try again.',
    save: async ({ key }) =>
      savedOf(
        await ask(
          anyKind[view.kind].keep,
          { params: { id: record._id }, query: blind, body: { keep } },
          { idempotencyKey: key },
        ),
      ),
  })
}
