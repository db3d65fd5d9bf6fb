import { useQuery } from '@tanstack/react-query'
import { may, type Right } from '#contract/http/access.ts'
import { Close } from '../components/button.tsx'
import { Choice } from '../components/choice.tsx'
import { Dialog } from '../components/dialog.tsx'
import { actionRules } from '../record/actions.ts'
import { Link } from '../router/link.tsx'
import { useProfile } from '../session/profile.ts'
import { settingsQuery } from '../session/settings-query.ts'
import { mayOpen, useScreens } from './navigation.ts'
import type { OverlayProps } from './overlay.ts'
import styles from './shortcuts.module.css'
import { switchShortcuts, useShortcutsAreOn } from './shortcuts.tsx'

/** The keys to press one after the other (` / ` between alternatives), what they do, and the right that it takes. */
type Entry = readonly [keys: string, meaning: string, right?: Right]

const list: readonly Entry[] = [
  ['Ctrl/⌘ K', 'find or do anything'],
  ['j / k', 'next / previous record'],
  ['Enter', 'open the record'],
  ['Esc', 'close what is open'],
  ['x', 'select the record', 'records.change'],
  ...actionRules
    .filter(({ id, label }) => id !== 'skip' && label !== 'Not Spam')
    .flatMap(({ key, label, right = 'records.change' }): Entry[] =>
      key ? [[key, label.toLowerCase(), right]] : [],
    ),
  ['Ctrl/⌘ Enter', 'send, or save the note', 'records.change'],
  ['.', 'all that can be done here'],
  ['j', 'in a run: skip', 'records.change'],
  ['1 … 9', 'in a run: put a template into the composer', 'records.change'],
  ['z', 'undo', 'records.change'],
  ['/', 'search'],
  ['s', 'save what the list shows as a view'],
]

/** The keys that this person may use, and the switch that turns the single ones off. */
export function KeysDialog({ onClose }: OverlayProps) {
  const on = useShortcutsAreOn()
  const { role } = useProfile()
  const screens = useScreens()
    .filter((screen) => mayOpen(role, screen))
    .flatMap(({ key, label }): Entry[] => (key ? [[`g ${key}`, `open ${label}`]] : []))
  const entries = [...list, ...screens, ['?', 'this list'] as const]
  const { data: settings } = useQuery(settingsQuery)
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <Choice
        label="Use single-key shortcuts on this device"
        checked={on}
        onChange={(event) => switchShortcuts(event.target.checked)}
      />
      {settings?.shortcuts === false && (
        <p>
          They are off for your account on every device.{' '}
          <Link to="/admin/account" onClick={onClose}>
            Change your settings
          </Link>
        </p>
      )}
      <dl className={styles.keys}>
        {entries
          .filter(([, , right]) => !right || may(role, right))
          .map(([keys, meaning]) => (
            <div key={keys}>
              <dt>
                {keys
                  .split(' ')
                  .map((part) =>
                    (part === '/' && keys !== '/') || part === '…' ? (
                      ` ${part} `
                    ) : (
                      <kbd key={part}>{part}</kbd>
                    ),
                  )}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
      </dl>
      <Close onClick={onClose} />
    </Dialog>
  )
}
