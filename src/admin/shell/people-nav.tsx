import { Link } from '@tanstack/react-router'
import { may } from '#contract/access.ts'
import styles from './people-nav.module.css'
import { peoplePlaces } from './places.ts'
import { useProfile } from './profile.ts'

/** Between the screens about people and the machine; the shell draws it above each of them. */
export function PeopleNav() {
  const { role } = useProfile()
  const places = peoplePlaces.filter((place) => may(role, place.right))
  return (
    <nav className={styles.nav} aria-label="People and system">
      {places.map(({ to, label }) => (
        <Link key={to} to={to}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
