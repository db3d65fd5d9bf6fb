import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { may } from '#contract/access.ts'
import { logout } from '#contract/auth.ts'
import { brand } from '#site/brand.ts'
import buttons from '../components/button.module.css'
import { BrandMark, Icon, SunMoon } from '../components/icon.tsx'
import { Guard } from './guard.tsx'
import { NoAccess } from './no-access.tsx'
import { Notices } from './notices.tsx'
import { PeopleNav } from './people-nav.tsx'
import { mainPlaces, peoplePlaces } from './places.ts'
import { useProfile } from './profile.ts'
import { ask, signOutHere } from './session.ts'
import styles from './shell.module.css'
import { Shortcuts } from './shortcuts.tsx'
import { useTheme } from './theme.ts'

/** The frame of every screen behind the sign-in. */
export function Shell({ banner }: { banner: ReactNode }) {
  return (
    <Guard>
      <Frame banner={banner} />
    </Guard>
  )
}

function Frame({ banner }: { banner: ReactNode }) {
  const { role } = useProfile()
  const path = useLocation({ select: (location) => location.pathname })
  const [help, setHelp] = useState(false)
  const places = mainPlaces.filter((place) => may(role, place.right))
  const isStaff = places.length > 0
  const aboutPeople = peoplePlaces.find((place) => place.to === path)
  const isClosed = aboutPeople !== undefined && !may(role, aboutPeople.right)

  return (
    <div className={styles.screen}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.bar}>
        <a className={styles.brand} href="/" aria-label={`${brand.name}, home`}>
          <BrandMark />
          {brand.name}
        </a>
        {isStaff && (
          <nav className={styles.places} aria-label="Admin">
            <ul>
              {places.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to} aria-current={isHere(to, path) ? 'page' : undefined}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className={styles.tools}>
          {isStaff && (
            <>
              <button
                type="button"
                className={`${buttons.square} ${styles.wide}`}
                aria-label="Keyboard shortcuts"
                title="Keyboard shortcuts"
                onClick={() => setHelp(true)}
              >
                <Icon name="keys" />
              </button>
              <Link
                to="/admin/account"
                className={buttons.square}
                aria-label="Your account"
                title="Your account"
              >
                <Icon name="user" />
              </Link>
            </>
          )}
          <ThemeSwitch />
          <LogoutButton />
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {isStaff ? (
          <>
            {banner}
            {aboutPeople && <PeopleNav />}
            {isClosed ? <NoAccess /> : <Outlet />}
          </>
        ) : (
          <NoAccess />
        )}
      </main>
      {isStaff && !aboutPeople && (
        <nav className={styles.manage} aria-label="People">
          <Link to="/admin/users" className={buttons.outlined}>
            <Icon name="users" />
            Manage Users
          </Link>
        </nav>
      )}
      {isStaff && (
        <nav className={styles.phone} aria-label="Admin, phone">
          {places.map(({ to, short, icon }) => (
            <Link key={to} to={to} aria-current={isHere(to, path) ? 'page' : undefined}>
              <Icon name={icon} />
              {short}
            </Link>
          ))}
        </nav>
      )}
      <Notices />
      {isStaff && <Shortcuts open={help} onOpenChange={setHelp} />}
    </div>
  )
}

const isHere = (to: string, path: string): boolean =>
  path === to || (to === '/admin/dashboard' && path === '/admin')

export function ThemeSwitch() {
  const { theme, toggle } = useTheme()
  return (
    <button
      type="button"
      className={buttons.square}
      aria-label="Switch between light and dark"
      onClick={toggle}
    >
      <SunMoon dark={theme === 'dark'} />
    </button>
  )
}

function LogoutButton() {
  const [leaving, setLeaving] = useState(false)

  const leave = async () => {
    setLeaving(true)
    // Whatever the server says, this browser forgets, and the guard leads to the sign-in.
    await ask(logout, {}, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    signOutHere()
  }

  return (
    <button
      type="button"
      className={buttons.outlined}
      disabled={leaving}
      onClick={() => void leave()}
    >
      <Icon name="out" />
      Logout
    </button>
  )
}
