import { may } from '#contract/http/access.ts'
import { Link } from '../router/link.tsx'
import { useLocation } from '../router/location.ts'
import { useProfile } from '../session/profile.ts'
import { systemScreens } from './navigation.ts'
import styles from './system-nav.module.css'

/** The screens about people and the system; the shell draws it above each of them. */
export function SystemNav() {
  const { role } = useProfile()
  const path = useLocation((location) => location.path)
  const screens = systemScreens.filter((screen) => may(role, screen.right))
  return (
    <nav className={styles.nav} aria-label="People and system">
      {screens.map(({ to, label }) => (
        <Link key={to} to={to} aria-current={to === path ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
