import { useState } from 'react'
import { logout } from '#contract/accounts/auth.ts'
import { Icon } from '../components/icon.tsx'
import tools from '../components/tool.module.css'
import { ask, signOutHere } from '../session/session.ts'

/** Ends the session here and on the server. `isSmall`: its icon alone, where there is no room for the word. */
export function LogoutButton({ isSmall = false }: { isSmall?: boolean }) {
  const [leaving, setLeaving] = useState(false)

  const leave = async () => {
    setLeaving(true)
    // Whatever the server says, this browser forgets, and the guard leads to the sign-in.
    await ask(logout, {}, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    signOutHere()
  }

  return (
    <button
      type="button"
      className={`${tools.tool} ${isSmall ? tools.square : tools.outlined}`}
      disabled={leaving}
      onClick={() => void leave()}
    >
      <Icon name="out" />
      <span className={isSmall ? 'vh' : undefined}>Logout</span>
    </button>
  )
}
