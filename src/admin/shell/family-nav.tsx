import { Link } from '../router/link.tsx'
import { useLocation } from '../router/location.ts'
import { useProfile } from '../session/profile.ts'
import styles from './family-nav.module.css'
import { familyAt, mayOpen, useScreens } from './navigation.ts'

/** Links between a screen of the bar and the screens under it. */
export function FamilyNav() {
  const { role } = useProfile()
  const path = useLocation((location) => location.path)
  const family = familyAt(path, useScreens())
  if (family.length === 0) return null
  return (
    <nav className={styles.nav} aria-label={family[0]?.family}>
      {family
        .filter((screen) => mayOpen(role, screen))
        .map(({ path: to, label }) => (
          <Link key={to} to={to} aria-current={to === path ? 'page' : undefined}>
            {label}
          </Link>
        ))}
    </nav>
  )
}
