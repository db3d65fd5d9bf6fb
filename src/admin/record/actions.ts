import { may, type Right } from '#contract/http/access.ts'
import type { Box, KindPath } from '#contract/inbox.ts'
import type { IconName } from '#ui/all-icons.ts'
import { type Action, restore, setSpam, setStatus } from '../changes/edits.ts'
import { useProfile } from '../session/profile.ts'
import { useCommands } from '../shell/shortcuts.tsx'
import { maySet } from './blind.ts'
import { type KindView, nextStatus, type StatusView, statusView } from './kinds/kind-view.ts'
import type { InboxRecord } from './record.ts'

/** Places of actions: beside the open record, in the run, for the selected records. */
export type Place = 'record' | 'run' | 'bulk'

interface Rule {
  id: string
  /** On its button, and in the list of keys. */
  label: string
  icon: IconName
  key?: string
  boxes: readonly Box[]
  /** Left out: the action is for every kind. */
  kinds?: readonly KindPath[]
  /** Everywhere, if left out. */
  places?: readonly Place[]
  /** `records.change`, if left out. */
  right?: Right
  /** The change that it makes at once. Without one, a choice, a text or a confirmation comes first. */
  edit?: Action
}

const inbox: readonly Box[] = ['inbox']
const kept: readonly Box[] = ['inbox', 'spam']
const single: readonly Place[] = ['record', 'run']

/** Everything that may be done with a record, in the order of the palette. */
const table = [
  { id: 'reply', label: 'Send Email', key: 'r', icon: 'reply', boxes: inbox, places: single },
  { id: 'status', label: 'Next status', key: 'e', icon: 'check', boxes: kept },
  { id: 'assign', label: 'Assign', key: 'a', icon: 'user', boxes: kept },
  { id: 'later', label: 'Later', key: 'h', icon: 'clock', boxes: inbox, places: single },
  { id: 'template', label: 'Templates', key: 't', icon: 'mail', boxes: inbox },
  {
    id: 'times',
    label: 'Offer times',
    key: 'o',
    icon: 'clock',
    boxes: inbox,
    kinds: ['consultations'],
    places: single,
  },
  { id: 'note', label: 'Write a note', key: 'n', icon: 'pen', boxes: kept, places: single },
  { id: 'outcome', label: 'Decide', icon: 'reply', boxes: inbox, places: ['bulk'] },
  { id: 'skip', label: 'Skip', key: 'j', icon: 'arrow', boxes: inbox, places: ['run'] },
  { id: 'spam', label: 'Mark as Spam', key: '!', icon: 'stop', boxes: inbox, edit: setSpam(true) },
  { id: 'spam', label: 'Not Spam', key: '!', icon: 'stop', boxes: ['spam'], edit: setSpam(false) },
  {
    id: 'restore',
    label: 'Restore',
    icon: 'back',
    boxes: ['trash'],
    right: 'records.remove',
    edit: restore,
  },
  { id: 'delete', label: 'Delete', key: '#', icon: 'bin', boxes: kept, right: 'records.remove' },
] as const satisfies readonly Rule[]

type ActionId = (typeof table)[number]['id']

export const actionRules: readonly (Rule & { id: ActionId })[] = table

export interface RecordAction {
  id: ActionId
  /** On its button. */
  label: string
  icon: IconName
  key?: string | undefined
  edit?: Action | undefined
  /** In the palette. */
  phrase: string
  /** The status that it sets, or that goes with the message. */
  status?: StatusView
  /** The name is hidden until one's own score is in, and the decision with it. */
  isWithheld?: boolean
}

const phrases: Partial<Record<ActionId, string>> = {
  assign: 'Assign …',
  later: 'Later …',
  template: 'Send a template',
}

/** `Send Email to Ada`. */
export const mailPhrase = ({ mail }: KindView, name = ''): string =>
  name ? `${mail.label} to ${name}` : mail.label

/** The subject of an action: a record, or the selected records of a box, with the status that they share. */
type Subject = Pick<InboxRecord, 'box'> & Partial<InboxRecord>

const expand = (
  { id, label, key, icon, edit }: Rule & { id: ActionId },
  view: KindView,
  subject: Subject,
  place: Place,
  by: string,
): RecordAction[] => {
  if (id === 'status') {
    const next = subject.status ? nextStatus(view, subject.status) : null
    const statuses = view.statuses
      .filter(({ action, value }) => place === 'bulk' || (action && value !== subject.status))
      .map((status) => ({
        id,
        label: status.label,
        phrase: status.action ?? `Mark as ${status.label}`,
        icon,
        key: status === next ? key : undefined,
        status,
        edit: setStatus(view, status.value, by),
        isWithheld: !maySet(subject, status),
      }))
    // The open record takes no key that is pressed for the selected ones.
    if (place === 'bulk' && !next)
      return [{ id, label, phrase: 'Set status …', key, icon }, ...statuses]
    return statuses
  }
  if (id === 'outcome')
    return view.outcomes.map((outcome) => ({
      id,
      icon,
      label: outcome.label,
      phrase: outcome.label,
      status: statusView(view, outcome.status),
    }))
  if (id === 'reply')
    return [{ id, label: view.mail.label, phrase: mailPhrase(view, subject.name), key, icon }]
  return [{ id, label, phrase: phrases[id] ?? label, key, icon, edit }]
}

/** Actions that this person may take here and now; buttons, keys and the palette read this list. */
export const useRecordActions = (
  view: KindView,
  subject: Subject,
  place: Place,
): readonly RecordAction[] => {
  const { role, username } = useProfile()
  return actionRules
    .filter(
      ({ right = 'records.change', boxes, kinds, places }) =>
        may(role, right) &&
        boxes.includes(subject.box) &&
        (kinds?.includes(view.kind) ?? true) &&
        (places?.includes(place) ?? true),
    )
    .flatMap((rule) => expand(rule, view, subject, place, username))
}

/** The palette's heading of what can be done with the open record. */
export const openGroup = ({ name }: InboxRecord): string => `With ${name}, open now`

/** Offers the actions by key and in the palette. */
export const useActionCommands = (
  group: string,
  actions: readonly RecordAction[],
  perform: (action: RecordAction) => unknown,
  options?: { goesFirst?: boolean },
): void =>
  useCommands(
    group,
    actions
      .filter(({ isWithheld }) => !isWithheld)
      .map((action) => ({
        label: action.phrase,
        icon: action.icon,
        run: () => perform(action),
        ...(action.key && { key: action.key }),
      })),
    options,
  )
