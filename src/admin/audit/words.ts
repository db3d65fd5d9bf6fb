import type { AuditEntry } from '#contract/audit.ts'
import { type KindPath, kindPaths } from '#contract/inbox.ts'

/** What staff did, in words. A kind without some shows its own name. */
const deeds: Record<string, string> = {
  status: 'Set the status',
  assign: 'Assigned',
  note: 'Wrote a note',
  spam: 'Marked as spam',
  release: 'Released from spam',
  delete: 'Moved to the trash',
  restore: 'Took out of the trash',
  keep: 'Changed how long it is kept',
  undo: 'Undid a change',
  export: 'Exported',
  erase: 'Erased a person’s data',
  retry: 'Retried a message',
  sign_in: 'Signed in',
  sign_out: 'Signed out',
  'session.end': 'Ended a session',
  'user.create': 'Added a user',
  'user.update': 'Changed a user',
  'user.delete': 'Deleted a user',
}

const targets: Record<string, string> = {
  consultations: 'Consultation',
  applications: 'Application',
  contacts: 'Contact message',
  users: 'User',
  sessions: 'Session',
  mail: 'Message',
  privacy: 'A person’s data',
}

export const sayDeed = ({ kind }: AuditEntry): string => deeds[kind] ?? kind

/** The thing that something was done to; a whole list by its plural. */
export const sayTarget = ({ kind, _id }: NonNullable<AuditEntry['target']>): string => {
  const name = targets[kind] ?? kind
  if (_id) return `${name} ${_id.slice(-8)}`
  return isRecords(kind) ? `${name}s` : name
}

/** Whether it is a kind of record, which has a screen of its own. */
export const isRecords = (kind: string): kind is KindPath =>
  (kindPaths as readonly string[]).includes(kind)
