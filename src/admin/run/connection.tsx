import { useConnection } from '../changes/connection.ts'
import styles from './run.module.css'

/** What can be done without a connection, and what cannot; once changes wait, the bar that counts them says it. */
export function Connection() {
  const { isOffline, waiting } = useConnection()
  if (!isOffline || waiting > 0) return null
  return (
    <p className={styles.offline} role="status">
      <b>No connection.</b> Decisions, messages and notes wait here and are saved when you are back.
      What colleagues do meanwhile is not shown.
    </p>
  )
}
