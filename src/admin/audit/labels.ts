import type { User } from '#contract/accounts/users.ts'
import type { AuditEntry, EventKind, EventTarget } from '#contract/audit.ts'
import { type KindPath, kindPaths } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { whenOf } from '../format/dates.ts'
import { statusView } from '../record/kinds/kind-view.ts'
import { views } from '../record/kinds/views.ts'

const actions: Record<EventKind, string> = {
  created: 'Received',
  status: 'Set the status',
  assign: 'Assigned',
  note: 'Wrote a note',
  spam: 'Marked as spam',
  release: 'Released from spam',
  delete: 'Moved to the trash',
  restore: 'Took out of the trash',
  keep: 'Changed how long it is kept',
  undo: 'Undid a change',
  snooze: 'Set aside, or back on the list',
  message: 'Wrote to the sender',
  reply: 'Answered, on their page or by mail',
  auto: 'Sent an automatic mail',
  link_ended: 'Ended the links of the sender’s page',
  corrected: 'Corrected the address',
  withdrawn: 'Withdrew it',
  erasure_asked: 'Asked for an erasure',
  times: 'Offered times',
  booked: 'Booked a talk',
  moved: 'Moved a talk',
  cancelled: 'Cancelled a talk',
  offer_sent: 'Sent an offer',
  offer_accepted: 'Accepted an offer',
  offer_declined: 'Declined an offer',
  'offer.draft': 'Began an offer',
  'offer.update': 'Changed an offer',
  'offer.delete': 'Deleted an offer',
  score: 'Scored an application',
  revealed: 'Had a hidden name shown',
  export: 'Exported',
  erase: 'Erased a person’s data',
  erased_by_sender: 'Erased their own record',
  retry: 'Sent a mail again',
  sign_in: 'Signed in',
  sign_in_refused: 'Was refused a sign-in',
  sign_out: 'Signed out',
  step_up: 'Confirmed who they are',
  'session.end': 'Ended a session',
  factor_added: 'Added a second factor',
  factor_removed: 'Removed a second factor',
  factor_renamed: 'Renamed a second factor',
  invited: 'Invited a colleague',
  'invitation.end': 'Took an invitation back',
  'token.create': 'Made a token',
  'token.end': 'Ended a token',
  'user.create': 'Added a user',
  'user.update': 'Changed a user',
  'user.delete': 'Deleted a user',
  'view.create': 'Saved a view',
  'view.update': 'Changed a view',
  'view.delete': 'Deleted a view',
  'template.create': 'Saved a template',
  'template.update': 'Changed a template',
  'template.delete': 'Deleted a template',
  'endpoint.create': 'Added a webhook',
  'endpoint.update': 'Changed a webhook',
  'endpoint.delete': 'Deleted a webhook',
  'endpoint.test': 'Tested a webhook',
  'settings.update': 'Changed the settings of the site',
  content_published: 'Published the site',
  content_replaced: 'Replaced a colleague’s draft of the site',
  content_shown: 'Showed an older release again',
  'agent.list_inbox': 'Agent: read a list',
  'agent.read_record': 'Agent: read a record',
  'agent.search_records': 'Agent: searched the records',
  'agent.inbox_figures': 'Agent: read figures',
  'agent.list_templates': 'Agent: read the templates',
  'agent.read_site': 'Agent: read the site',
  'agent.draft_reply': 'Agent: drafted an answer',
  'agent.add_note': 'Agent: wrote a note',
  'agent.propose_status': 'Agent: proposed a status',
  'agent.refused': 'Agent: was refused',
  'agent.draft_dropped': 'Dropped an agent’s draft',
  'agent.proposal_dropped': 'Dropped an agent’s proposal',
  retention: 'Erased what was due',
  sample_data: 'Added sample records',
  'backup.restore': 'Restored a backup, and erased again',
  erase_again: 'Erased again after a restore',
  demo_setup: 'Made the database a demonstration’s',
}

const targets: Record<Exclude<EventTarget, KindPath>, string> = {
  users: 'User',
  sessions: 'Session',
  mail: 'Mail',
  templates: 'Template',
  views: 'View',
  privacy: 'A person’s data',
  offers: 'Offer',
  agents: 'Record',
  endpoints: 'Webhook',
  deliveries: 'Delivery of a webhook',
  tokens: 'Token',
  factors: 'Second factor',
  invitations: 'Invitation',
  settings: 'Settings',
  content: 'The site',
  releases: 'Release',
  visits: 'Visits',
  answers: 'Figures',
}

/** `dueAt`, `due_at` and `mail.bodies` as words. */
const inWords = (code: string): string =>
  code
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

export const kindLabel = (kind: string): string =>
  capital(actions[kind as EventKind] ?? inWords(kind))

const programs: Record<NonNullable<AuditEntry['via']>, string> = {
  start: 'The program, as it started',
  command: 'A command on the server',
  retention: 'The rules of retention',
  sender: 'A sender, on their page',
}

type Person = Pick<User, '_id' | 'username'>

/** Names the actor: by the name of the time, and that of today where it is another. */
export const actorLabel = (
  { by, byId, via, kind, token }: AuditEntry,
  users: readonly Person[],
): string => {
  if (by === null)
    return via ? programs[via] : kind === 'sign_in_refused' ? 'Somebody' : 'The program'
  const today = users.find(({ _id }) => _id === byId)?.username
  const name = today === by ? by : today === undefined ? `${by} (deleted)` : `${by} (now ${today})`
  return token ? `${name}, by the token ${token}` : name
}

type Change = [from: string | null, to: string | null]

/** Actions on a record that their kind alone does not tell. */
const namesFields: readonly string[] = ['corrected', 'score']

/** The fields in words, with their values where the log has them; or how many there were. */
export const detailsLabel = ({
  kind: action,
  target,
  fields,
  changes = {},
  counts = {},
  count,
}: AuditEntry): string => {
  const kind = target && isRecords(target.kind) ? target.kind : null
  const labels: Readonly<Record<string, string>> = kind ? anyKind[kind].labels : {}
  const values = new Map<string, Change | undefined>(Object.entries(changes))
  const names = new Set([...fields, ...values.keys()])
  const shownValue = (name: string, value: string | null) => {
    if (name === 'snoozedUntil') return value && whenOf(value, new Date())
    if (value !== null)
      return kind && name === 'status' ? statusView(views[kind], value).label : value
    return name === 'assignee' ? 'nobody' : null
  }
  return [
    ...[...names]
      .filter((name) => !kind || values.has(name) || namesFields.includes(action))
      .map((name) => {
        const shown = (values.get(name) ?? []).map((value) => shownValue(name, value))
        const known = shown.filter((value) => value !== null)
        const label = (labels[name] ?? inWords(name)).toLowerCase()
        return known.length > 0 ? `${label}: ${known.join(' → ')}` : label
      }),
    ...Object.entries(counts).map(([name, n]) => `${inWords(name)}: ${n}`),
    ...(count !== undefined && count > 1 ? [`${count} times within an hour`] : []),
  ].join(', ')
}

/** The subject of an entry; a whole list by its plural. */
export const targetLabel = (
  { kind, _id, name: personName }: NonNullable<AuditEntry['target']>,
  users: readonly Person[],
): string => {
  const name = isRecords(kind)
    ? capital(views[kind].noun)
    : (targets[kind as keyof typeof targets] ?? kindLabel(kind))
  if (kind === 'users') return users.find((user) => user._id === _id)?.username ?? 'A former user'
  if (personName) return `${name} of ${personName}`
  if (_id) return `${name} ${_id.replaceAll('-', '').slice(-8).toUpperCase()}`
  if (kind === 'agents') return '–'
  return isRecords(kind) ? `${name}s` : name
}

/** True for a kind of record, which has a screen of its own. */
export const isRecords = (kind: string): kind is KindPath =>
  (kindPaths as readonly string[]).includes(kind)
