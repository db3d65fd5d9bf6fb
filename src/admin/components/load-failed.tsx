import { Button } from './button.tsx'
import styles from './load-failed.module.css'

interface LoadFailedProps {
  sentence: string
  retry: () => unknown
  action?: string
}

/** Stands in a file of its own: the inbox's first screen needs it, and nothing else of `load-states.tsx`. */
export function LoadFailed({ sentence, retry, action = 'Try again' }: LoadFailedProps) {
  return (
    <div className={styles.box} role="alert">
      <p>{sentence}</p>
      <Button look="line" onClick={() => void retry()}>
        {action}
      </Button>
    </div>
  )
}
