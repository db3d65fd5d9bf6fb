import { useQuery } from '@tanstack/react-query'
import { Icon } from '../components/icon.tsx'
import { TextLink } from '../components/text-link.tsx'
import { factorsQuery } from '../session/factors-query.ts'
import { useMay } from '../session/profile.ts'
import styles from './nudge.module.css'

/** Suggests a second factor to those whose password opens the most. */
export function FactorNudge() {
  const opensMuch = useMay('records.remove')
  const { data } = useQuery({ ...factorsQuery, enabled: opensMuch })
  if (!opensMuch || !data || data.totp || data.passkeys.length > 0) return null
  return (
    <section className={styles.samples} aria-label="Second factor">
      <Icon name="lock" />
      <p>
        <b>Only a password protects your account.</b> A passkey or an authenticator app takes a
        minute.{' '}
        <TextLink to="/admin/account" hash="factors">
          Add a second factor
        </TextLink>
      </p>
    </section>
  )
}
