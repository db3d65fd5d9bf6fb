import { useEffect, useState } from 'react'
import { useUnsaved } from '../changes/change.ts'
import { Confirm } from '../components/dialog.tsx'
import { counted } from '../format/count.ts'
import { countUnsent } from '../session/before-sign-out.ts'
import { signOut } from '../session/session.ts'
import type { OverlayProps } from './overlay.ts'

/** Asks before a sign-out that would lose something. */
export function SignOutDialog({ onClose }: OverlayProps) {
  const changes = useUnsaved().length
  const [texts, setTexts] = useState(0)
  useEffect(() => void countUnsent().then(setTexts), [])
  const lost = [texts > 0 && counted(texts, 'text'), changes > 0 && counted(changes, 'change')]
  return (
    <Confirm
      title="Sign out and lose what is not saved?"
      question={`Not saved yet: ${lost.filter(Boolean).join(' and ') || 'nothing any more'}. Answers that are saved as drafts stay.`}
      action="Sign out"
      onConfirm={() => void signOut()}
      onClose={onClose}
    />
  )
}
