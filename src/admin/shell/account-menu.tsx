import { useRef } from 'react'
import { useIsWide } from '../browser/use-media.ts'
import { Icon } from '../components/icon.tsx'
import { Link } from '../router/link.tsx'
import { useProfile } from '../session/profile.ts'
import styles from './account-menu.module.css'
import { LogoutButton } from './logout-button.tsx'
import { openOverlay } from './overlay.ts'

const menuId = 'account-menu'

/** The signed-in person, and links that belong to no single screen: a native popover. */
export function AccountMenu() {
  const { username, email, role } = useProfile()
  const menu = useRef<HTMLElement>(null)
  const close = () => menu.current?.hidePopover()

  return (
    <>
      <button
        type="button"
        className={styles.opener}
        popoverTarget={menuId}
        aria-label={`Account: ${username}`}
      >
        <Icon name="user" />
        <span className={styles.name}>{username}</span>
        <span className={styles.caret}>
          <Icon name="caret" />
        </span>
      </button>
      <nav ref={menu} id={menuId} className={styles.menu} popover="auto" aria-label="Account">
        <p className={styles.who}>
          <b>{username}</b> <span>{email}</span> <span>{role}</span>
        </p>
        <Link to="/admin/account" onClick={close}>
          <Icon name="user" />
          Your account
        </Link>
        <Link to="/admin/users" onClick={close}>
          <Icon name="users" />
          Manage Users
        </Link>
        <button
          type="button"
          className={styles.shortcuts}
          onClick={() => {
            close()
            openOverlay('keys')
          }}
        >
          <Icon name="keys" />
          Keyboard shortcuts
        </button>
        {!useIsWide() && <LogoutButton isPlain />}
      </nav>
    </>
  )
}
