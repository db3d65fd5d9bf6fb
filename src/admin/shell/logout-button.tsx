import { useState } from 'react'
import { changesIn, unsavedAmong } from '../changes/change.ts'
import { Icon } from '../components/icon.tsx'
import { countUnsent } from '../session/before-sign-out.ts'
import { queryClient } from '../session/query-client.ts'
import { signOut } from '../session/session.ts'
import { openOverlay } from './overlay.ts'
import tools from './tool.module.css'

/** Ends the session here and on the server; what would be lost is asked about first. */
export const leave = async (): Promise<void> => {
  const changes = unsavedAmong(changesIn(queryClient.getMutationCache())).length
  if (changes + (await countUnsent()) > 0) openOverlay('sign-out')
  else await signOut()
}

/** `isPlain`: as a choice of a menu. */
export function LogoutButton({ isPlain = false }: { isPlain?: boolean }) {
  const [leaving, setLeaving] = useState(false)
  return (
    <button
      type="button"
      className={isPlain ? undefined : `${tools.tool} ${tools.outlined}`}
      disabled={leaving}
      onClick={() => {
        setLeaving(true)
        void leave().finally(() => setLeaving(false))
      }}
    >
      <Icon name="out" />
      <span>Logout</span>
    </button>
  )
}
