import { AccountPanels } from '../account/account.tsx'
import { useProfile } from '../session/profile.ts'

/** The screen of a signed-in person without a staff role: themselves, and that this is all. */
export function NoAccess() {
  const { username } = useProfile()
  return (
    <>
      <h1>Hello, {username}</h1>
      <p role="status">You do not have access to this area.</p>
      <AccountPanels />
    </>
  )
}
