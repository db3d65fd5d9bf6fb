import type { User } from '#contract/accounts/users.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { type KindPath, kindPaths } from '#contract/inbox.ts'

/** Labels of actions. A kind without a label shows its own name. */
const actions: Record<string, string> = {
  status: 'Set the status',
  assign: 'Assigned',
  note: 'Wrote a note',
  spam: 'Marked as spam',
  release: 'Released from spam',
  delete: 'Moved to the trash',
  restore: 'Took out of the trash',
  keep: 'Changed how long it is kept',
  undo: 'Undid a change',
  score: 'Scored an application',
  revealed: 'Had a hidden name shown',
  export: 'Exported',
  erase: 'Erased a person’s data',
  erased_by_sender: 'Erased their own record',
  retry: 'Retried a message',
  sign_in: 'Signed in',
  sign_in_refused: 'Refused a sign-in',
  sign_out: 'Signed out',
  'session.end': 'Ended a session',
  'user.create': 'Added a user',
  'user.update': 'Changed a user',
  'user.delete': 'Deleted a user',
  'view.create': 'Saved a view',
  'view.update': 'Changed a view',
  'view.delete': 'Deleted a view',
  'template.create': 'Saved a template',
  'template.update': 'Changed a template',
  'template.delete': 'Deleted a template',
  retention: 'Erased what was due',
  sample_data: 'Added sample records',
  'backup.restore': 'Restored a backup, and erased again',
  erase_again: 'Erased again after a restore',
  demo_setup: 'Made the database a demonstration’s',
}

const targets: Record<string, string> = {
  consultations: 'Consultation',
  applications: 'Application',
  contacts: 'Contact message',
  users: 'User',
  sessions: 'Session',
  mail: 'Message',
  templates: 'Template',
  views: 'View',
  privacy: 'A person’s data',
}

export const kindLabel = (kind: string): string => actions[kind] ?? kind

export const actionLabel = ({ kind }: AuditEntry): string => kindLabel(kind)

const programs: Record<NonNullable<AuditEntry['via']>, string> = {
  start: 'The program, as it started',
  command: 'A command on the server',
  retention: 'The rules of retention',
  sender: 'A sender, on their page',
}

/** The name of the actor at the time, and the present one if it differs. */
export const actorLabel = (
  { by, byId, via }: AuditEntry,
  users: readonly Pick<User, '_id' | 'username'>[],
): string => {
  if (by === null) return via ? programs[via] : 'The program'
  const today = users.find(({ _id }) => _id === byId)?.username
  if (today === by) return by
  return today === undefined ? `${by} (deleted)` : `${by} (now ${today})`
}

/** The names of the fields, those of an account with their values; or how many there were. */
export const detailsLabel = ({ fields, changes = {}, counts = {} }: AuditEntry): string => {
  const values = new Map<string, AccountChange | undefined>(Object.entries(changes))
  const names = new Set([...fields, ...values.keys()])
  return [
    ...[...names].map((name) => changeLabel(name, values.get(name))),
    ...Object.entries(counts).map(([name, count]) => `${name}: ${count}`),
  ].join(', ')
}

type AccountChange = [from: string | null, to: string | null]

const changeLabel = (name: string, [from, to]: AccountChange = [null, null]): string => {
  const values = [from, to].filter((value) => value !== null)
  return values.length > 0 ? `${name}: ${values.join(' → ')}` : name
}

/** The thing that something was done to; a whole list by its plural. */
export const targetLabel = ({ kind, _id }: NonNullable<AuditEntry['target']>): string => {
  const name = targets[kind] ?? kind
  if (_id) return `${name} ${_id.slice(-8)}`
  return isRecords(kind) ? `${name}s` : name
}

/** True if it is a kind of record, which has a screen of its own. */
export const isRecords = (kind: string): kind is KindPath =>
  (kindPaths as readonly string[]).includes(kind)
