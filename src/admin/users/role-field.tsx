import { may, type Right, type Role, roles } from '#contract/http/access.ts'
import { Field, hintId } from '#ui/field.tsx'
import { Options } from '../components/form.tsx'

/** The abilities of a right; null for rights that everybody has. */
const abilities: Record<Right, string | null> = {
  'account.own': null,
  'records.read': 'read records, users and figures',
  'records.change': 'change records, write notes, assign, undo',
  'records.remove': 'delete, restore and export',
  'content.edit': 'draft what the site says',
  'content.publish': 'publish it',
  'content.own': 'change brand, contact and legal texts',
  'users.manage': 'manage users and end their sessions',
  'audit.read': 'read the audit log',
  'privacy.manage': 'export and erase a person’s data',
}

const abilitiesOf = (role: Role): string => {
  const allowed = Object.entries(abilities).flatMap(([right, ability]) =>
    ability && may(role, right as Right) ? [ability] : [],
  )
  return allowed.length > 0 ? new Intl.ListFormat('en').format(allowed) : 'see your own profile'
}

export const permissionsOf = (role: Role): string =>
  `Your role is ${role}. You may ${abilitiesOf(role)}.`

interface Props {
  id: string
  role: Role
  onChange?: (role: Role) => void
}

/** Chooses a role, and says what the chosen one may do. Without `onChange` the role is fixed. */
export function RoleField({ id, role, onChange }: Props) {
  const hint = role === 'user' ? 'May only see the own profile.' : `May ${abilitiesOf(role)}.`
  return (
    <Field id={id} label="Role" hint={hint}>
      {onChange ? (
        <select
          id={id}
          value={role}
          aria-describedby={hintId(id)}
          onChange={({ target }) => onChange(target.value as Role)}
        >
          <Options values={roles} />
        </select>
      ) : (
        <output id={id}>{role}</output>
      )}
    </Field>
  )
}
