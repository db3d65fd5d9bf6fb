import { Conflict } from '../components/conflict.tsx'
import { When } from '../components/when.tsx'
import { dateTimeOf } from '../format/dates.ts'
import { stampFields, statusView } from '../record/kinds/kind-view.ts'
import { views } from '../record/kinds/views.ts'
import { boxLabels, type InboxRecord } from '../record/record.ts'
import { type ChangeMutation, storedOf, useConflict } from './change.ts'
import { dropConflict } from './make-change.ts'

export function ConflictDialog() {
  const conflict = useConflict()
  const stored = conflict && storedOf(conflict.state.error)
  // The key makes each conflict a dialog of its own, which screen readers announce.
  return stored && <Open key={conflict.mutationId} conflict={conflict} stored={stored} />
}

const untilLabel = ({ snoozedUntil }: InboxRecord): string =>
  snoozedUntil ? dateTimeOf(snoozedUntil) : 'Not set aside'

function Open({ conflict, stored }: { conflict: ChangeMutation; stored: InboxRecord }) {
  const { kind, edits, again } = conflict.state.variables
  const wanted = { ...stored, ...edits[0]?.patch }
  const close = () => dropConflict(conflict)
  const view = views[kind]
  const stamp = stampFields(view, stored)
  const sides = [
    ['Status', statusView(view, stored.status).label, statusView(view, wanted.status).label],
    ['Assigned to', stored.assignee ?? 'Nobody', wanted.assignee ?? 'Nobody'],
    ['Box', boxLabels[stored.box], boxLabels[wanted.box]],
  ] as const
  const seldom = [
    ['E-mail', stored.email, wanted.email],
    ['Set aside until', untilLabel(stored), untilLabel(wanted)],
  ] as const
  return (
    <Conflict
      name={stored.name}
      sides={[...sides, ...seldom.filter(([, before, after]) => before !== after)]}
      onKeep={close}
      onSave={() => {
        close()
        again?.(stored)
      }}
      onClose={close}
    >
      {stamp ? ` by ${stamp.by}` : ''}, <When at={stored.updatedAt} />, before your change arrived
    </Conflict>
  )
}
