import { may, type Right, type Role } from '#contract/access.ts'

const abilities: readonly (readonly [Right, string])[] = [
  ['records.read', 'read records, users and figures'],
  ['records.change', 'change records, write notes, assign, undo'],
  ['records.remove', 'delete, restore and export'],
  ['users.manage', 'manage users and end their sessions'],
  ['audit.read', 'read the audit log'],
  ['privacy.manage', 'export and erase a person’s data'],
]

/** What a role may do, as one sentence. */
export const permissionsOf = (role: Role): string => {
  const allowed = abilities.filter(([right]) => may(role, right)).map(([, text]) => text)
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(allowed)
  return allowed.length > 0
    ? `Your role is ${role}. You may ${list}.`
    : `Your role is ${role}. You may see your own profile.`
}
