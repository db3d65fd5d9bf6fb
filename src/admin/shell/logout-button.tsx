import { useState } from 'react'
import { Icon } from '../components/icon.tsx'
import { signOut } from '../session/sign-out.ts'
import tools from './tool.module.css'

/** Ends the session here and on the server. `isSmall`: its icon alone, where there is no room for the word. */
export function LogoutButton({ isSmall = false }: { isSmall?: boolean }) {
  const [leaving, setLeaving] = useState(false)

  const leave = async () => {
    setLeaving(true)
    await signOut()
  }

  return (
    <button
      type="button"
      className={`${tools.tool} ${isSmall ? tools.square : tools.outlined}`}
      disabled={leaving}
      onClick={() => void leave()}
    >
      <Icon name="out" />
      <span className={isSmall ? 'visually-hidden' : undefined}>Logout</span>
    </button>
  )
}
