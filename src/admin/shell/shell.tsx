import { type ReactNode, useEffect } from 'react'
import { keepFocus } from '../browser/keep-focus.ts'
import { useTheme } from '../browser/theme.ts'
import { useIsWide } from '../browser/use-media.ts'
import buttons from '../components/button.module.css'
import { BrandMark, Icon } from '../components/icon.tsx'
import { Key } from '../components/key.tsx'
import { lazyComponent } from '../router/lazy-component.tsx'
import { Link } from '../router/link.tsx'
import { navigate, useLocation } from '../router/location.ts'
import type { Screen, ScreenPath } from '../screens.ts'
import { useProfile } from '../session/profile.ts'
import { useIsSteppingUp, useRequirement } from '../session/requirement.ts'
import { site } from '../site.ts'
import { AccountMenu } from './account-menu.tsx'
import { badge, loadBadge } from './badge.ts'
import { Loading } from './guard.tsx'
import { LogoutButton } from './logout-button.tsx'
import { familyAt, inboxAt, mayOpen, useScreens } from './navigation.ts'
import { Notices } from './notices.tsx'
import { loadClicks } from './notification-clicks.ts'
import { openOverlay, paletteKey } from './overlay.ts'
import styles from './shell.module.css'
import { ShortcutKeys } from './shortcuts.tsx'
import tools from './tool.module.css'

// Few see it, and it brings the account's forms along.
const NoAccess = lazyComponent(
  () => import('./required-step.tsx').then((m) => m.NoAccess),
  <Loading />,
)
const RequiredStep = lazyComponent(
  () => import('./required-step.tsx').then((m) => m.RequiredStep),
  <Loading />,
)
const StepUpDialog = lazyComponent(() =>
  import('../session/step-up-dialog.tsx').then((m) => m.StepUpDialog),
)

interface ShellProps {
  /** The open screen; undefined at an unknown URL. */
  screen: Screen | undefined
  banner: ReactNode
  overlays: ReactNode
  children: ReactNode
}

/** The frame of every screen behind the sign-in. */
export function Shell({ screen, banner, overlays, children }: ShellProps) {
  const { role } = useProfile()
  const path = useLocation((location) => location.path)
  const requirement = useRequirement()
  const isSteppingUp = useIsSteppingUp()
  const all = useScreens()
  const screens = requirement ? [] : all.filter((one) => one.inBar && mayOpen(role, one))
  // A phone has room for five; the account menu has the users, too.
  const hasSite = screens.some((one) => one.path === '/admin/site')
  const onPhone = screens.filter((one) => !(hasSite && one.path === '/admin/users'))
  const family = familyAt(path, all)
  const [head] = family
  /** The open screen, or the one that it is listed under. */
  const currentOf = (to: string) => {
    if (path === to || (path === '/admin' && to === '/admin/dashboard')) return 'page'
    return head?.path === to ? 'true' : undefined
  }
  const isStaff = screens.length > 0
  useNotifications(isStaff)
  const isBare = screen?.isBare ?? false
  const isClosed = screen !== undefined && !isBare && !mayOpen(role, screen)
  const isWide = useIsWide()
  const inInbox = isStaff && inboxAt(path) !== undefined

  useEffect(keepFocus, [])
  useEffect(() => {
    // An inbox does it once its list is there.
    if (isStaff && !inInbox) loadBadge()
  }, [isStaff, inInbox])

  return (
    <div className={styles.screen} data-inbox={inInbox || undefined} data-run={isBare || undefined}>
      {/* biome-ignore lint/a11y/useValidAnchor: it navigates within the page, as its URL says */}
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          // The fragment holds the inbox's search text.
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        Skip to content
      </a>
      {/* On a phone the inbox has a header of its own, with what is needed of this one. */}
      {(isWide || !inInbox) && !isBare && (
        <header className={styles.bar}>
          <a className={styles.brand} href="/" aria-label={`${site.name}, home`}>
            <BrandMark />
            {site.name}
          </a>
          {isStaff && (
            <nav className={`${styles.screens} wide-only`} aria-label="Admin">
              <ul>
                {screens.map(({ path: to, label }) => (
                  <li key={to}>
                    <ScreenLink to={to} current={currentOf(to)} unreadId={`unread-${label}`}>
                      {label}
                    </ScreenLink>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <div className={styles.tools}>
            {isStaff && (
              <button
                type="button"
                className={`${tools.tool} ${tools.outlined} ${styles.find}`}
                onClick={() => openOverlay('palette')}
              >
                <Icon name="find" />
                <span>Find or do</span>
                <Key of={paletteKey} />
              </button>
            )}
            {isStaff && <AccountMenu />}
            <ThemeSwitch />
            {(isWide || !isStaff) && <LogoutButton />}
          </div>
        </header>
      )}
      <main id="main" className={styles.main} tabIndex={-1}>
        {isStaff && banner}
        {isStaff && family.length > 0 && (
          <nav className={styles.family} aria-label={head?.family}>
            {family
              .filter((one) => mayOpen(role, one))
              .map(({ path: to, label }) => (
                <Link
                  key={to}
                  // On a phone the links scroll sideways.
                  ref={to === path ? showWhole : undefined}
                  to={to}
                  aria-current={to === path ? 'page' : undefined}
                >
                  {label}
                </Link>
              ))}
          </nav>
        )}
        {isStaff && !isClosed ? (
          children
        ) : requirement ? (
          <RequiredStep requirement={requirement} />
        ) : (
          <NoAccess />
        )}
      </main>
      {isStaff && !isBare && (
        <nav className={styles.phone} aria-label="Admin, phone">
          {onPhone.map(({ path: to, label, icon }) => (
            <ScreenLink key={to} to={to} current={currentOf(to)} unreadId={`unread-phone-${label}`}>
              {icon && <Icon name={icon} />}
              {label}
            </ScreenLink>
          ))}
        </nav>
      )}
      <Notices />
      {isSteppingUp && <StepUpDialog />}
      {isStaff && <ShortcutKeys />}
      {isStaff && overlays}
    </div>
  )
}

interface Props {
  to: ScreenPath
  current: 'page' | 'true' | undefined
  unreadId: string
  children: ReactNode
}

/** A link to a screen. What is unread there describes it and is no part of its name. */
function ScreenLink({ to, current, unreadId, children }: Props) {
  const Badge = badge.use()
  const kind = inboxAt(to)
  return (
    <Link to={to} aria-current={current} aria-describedby={Badge && kind ? unreadId : undefined}>
      {children}
      {Badge && kind && <Badge kind={kind} id={unreadId} />}
    </Link>
  )
}

export function ThemeSwitch() {
  const { theme, toggle } = useTheme()
  return (
    <button
      type="button"
      className={buttons.square}
      aria-label="Switch between light and dark"
      onClick={toggle}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  )
}

const showWhole = (link: HTMLAnchorElement | null) =>
  link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

/** Follows clicks on notifications. */
const useNotifications = (isStaff: boolean): void => {
  useEffect(() => {
    if (!isStaff) return
    const ending = loadClicks().then((clicks) =>
      clicks?.followClicks((href) => void navigate(href)),
    )
    return () => void ending.then((end) => end?.())
  }, [isStaff])
}
