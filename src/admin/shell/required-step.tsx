import { AccountPanels } from '../account/account.tsx'
import { PasswordForm } from '../account/password-form.tsx'
import { SetUpFactor } from '../account/set-up-factor.tsx'
import panel from '../components/panel.module.css'
import { useProfile } from '../session/profile.ts'
import { queryClient } from '../session/query-client.ts'
import { type Requirement, setRequirement } from '../session/requirement.ts'

/** A required step of the account, in the place of the wanted screen. */
export function RequiredStep({ requirement }: { requirement: Requirement }) {
  const goOn = () => {
    setRequirement(null)
    void queryClient.invalidateQueries()
  }
  return requirement === 'password' ? (
    <>
      <h1>Choose your own password</h1>
      <p className={panel.say}>
        Somebody else has set the one you signed in with. Once you have changed it, only you know
        it, and the rest of the admin opens.
      </p>
      <div className={panel.panel}>
        <PasswordForm onDone={goOn} />
      </div>
    </>
  ) : (
    <>
      <h1>Add a second factor</h1>
      <p className={panel.say}>
        Your role needs more than a password. Choose one of these; it takes about a minute, and the
        rest of the admin opens.
      </p>
      <div className={panel.panel}>
        <SetUpFactor onDone={goOn} />
      </div>
    </>
  )
}

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
