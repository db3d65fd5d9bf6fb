import { Fragment } from 'react'
import { splitQuoted } from '#contract/mail/quoted-text.ts'
import styles from './thread.module.css'

/** A text as it was written, with what it copies from earlier mails folded. */
export function MessageText({ text }: { text: string }) {
  return splitQuoted(text).map(({ text: run, isQuoted }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a stored text never change
    <Fragment key={index}>
      {isQuoted ? (
        <details>
          <summary>Show quoted text</summary>
          <p className={`typed ${styles.text}`} dir="auto">
            {run}
          </p>
        </details>
      ) : (
        run.trim() && (
          <p className={`typed ${styles.text}`} dir="auto">
            {run.trim()}
          </p>
        )
      )}
    </Fragment>
  ))
}
