import { useQuery } from '@tanstack/react-query'
import { Icon } from '../components/icon.tsx'
import { TextLink } from '../components/text-link.tsx'
import { factorsQuery } from '../session/factors-query.ts'
import { useMay } from '../session/profile.ts'
import styles from './nudge.module.css'

/**
 * Due to those whose password opens the most, while it alone protects their account. It is loading
 * until the first answer or failure: the next try keeps nobody waiting.
 */
export const useFactorNudge = () => {
  const query = useQuery({ ...factorsQuery, enabled: useMay('records.remove') })
  const { data, isLoading, failureCount } = query
  return {
    isDue: data && !data.totp && data.passkeys.length === 0,
    isLoading: isLoading && failureCount === 0,
  }
}

export function FactorNudge() {
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
