import { useQuery } from '@tanstack/react-query'
import { Close } from '../components/button.tsx'
import choices from '../components/choice.module.css'
import { Dialog } from '../components/dialog.tsx'
import { actionRules } from '../record/actions.ts'
import { Link } from '../router/link.tsx'
import { settingsQuery } from '../session/settings-query.ts'
import { useScreens } from './navigation.ts'
import type { OverlayProps } from './overlay.ts'
import styles from './shortcuts.module.css'
import { switchShortcuts, useShortcutsAreOn } from './shortcuts.tsx'

/** Each entry: the keys to press one after the other (` / ` between alternatives), and what they do. */
const list: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl/⌘ K', 'find or do anything'],
  ['j / k', 'next / previous record'],
  ['Enter', 'open the record'],
  ['Esc', 'close what is open'],
  ['x', 'select the record'],
  ...actionRules
    .filter(({ id, label }) => id !== 'skip' && label !== 'Not Spam')
    .flatMap(({ key, label }) => (key ? [[key, label.toLowerCase()] as const] : [])),
  ['Ctrl/⌘ Enter', 'send, or save the note'],
  ['.', 'all that can be done here'],
  ['j', 'in a run: skip'],
  ['1 … 9', 'in a run: put a template into the composer'],
  ['z', 'undo'],
  ['/', 'search'],
  ['s', 'save what the list shows as a view'],
]

/** The keys, and the switch that turns the single ones off. */
export function KeysDialog({ onClose }: OverlayProps) {
  const on = useShortcutsAreOn()
  const screens = useScreens().flatMap(({ key, label }): [string, string][] =>
    key ? [[`g ${key}`, `open ${label}`]] : [],
  )
  const { data: settings } = useQuery(settingsQuery)
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <label className={choices.choice}>
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => switchShortcuts(event.target.checked)}
        />
        Use single-key shortcuts on this device
      </label>
      {settings?.shortcuts === false && (
        <p>
          They are off for your account on every device.{' '}
          <Link to="/admin/account" onClick={onClose}>
            Change your settings
          </Link>
        </p>
      )}
      <dl className={styles.keys}>
        {[...list, ...screens, ['?', 'this list'] as const].map(([keys, meaning]) => (
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
