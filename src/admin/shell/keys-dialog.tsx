import { useQuery } from '@tanstack/react-query'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Link } from '../router/link.tsx'
import { settingsQuery } from '../session/settings-query.ts'
import { useScreens } from './navigation.ts'
import type { OverlayProps } from './overlay.ts'
import styles from './shortcuts.module.css'
import { switchShortcuts, useShortcutsAreOn } from './shortcuts.tsx'

/** Every key, each as the keys to press one after the other; ` / ` stands between two that do alike. */
const list: [keys: string, meaning: string][] = [
  ['Ctrl/⌘ K', 'find or do anything'],
  ['j / k', 'next / previous record'],
  ['Enter', 'open the record'],
  ['Esc', 'close what is open'],
  ['x', 'select the record'],
  ['r', 'reply to the sender'],
  ['n', 'write a note'],
  ['t', 'templates'],
  ['Ctrl/⌘ Enter', 'send, or save the note'],
  ['e', 'next status'],
  ['a', 'assign'],
  ['h', 'set aside until later'],
  ['#', 'delete'],
  ['.', 'all that can be done here'],
  ['! / j', 'in a run: spam / skip'],
  ['1 … 9', 'in a run: reply with a template'],
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
      <label className={styles.switch}>
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
      <Button look="line" onClick={onClose}>
        Close
      </Button>
    </Dialog>
  )
}
