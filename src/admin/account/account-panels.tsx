import { useProfile } from '../shell/profile.ts'

/** One's own profile, password and sessions. */
export function AccountPanels() {
  const { username, email, role } = useProfile()
  return (
    <dl>
      <dt>Username</dt>
      <dd>{username}</dd>
      <dt>Email</dt>
      <dd>{email}</dd>
      <dt>Role</dt>
      <dd>{role}</dd>
    </dl>
  )
}
