import { may, type Right, type Role } from '#contract/http/access.ts'

/** What a right allows; null for rights that everybody has. */
const abilities: Record<Right, string | null> = {
  'account.own': null,
  'records.read': 'read records, users and figures',
  'records.change': 'change records, write notes, assign, undo',
  'records.remove': 'delete, restore and export',
  'content.edit': 'draft what the site says',
  'content.publish': 'publish it',
  'content.own': 'change who the owner is and the legal texts',
  'users.manage': 'manage users and end their sessions',
  'audit.read': 'read the audit log',
  'privacy.manage': 'export and erase a person’s data',
}

/** What a role may do, as one sentence. */
export const permissionsOf = (role: Role): string => {
  const allowed = Object.entries(abilities).flatMap(([right, ability]) =>
    ability && may(role, right as Right) ? [ability] : [],
  )
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(allowed)
  return allowed.length > 0
    ? `Your role is ${role}. You may ${list}.`
    : `Your role is ${role}. You may see your own profile.`
}
