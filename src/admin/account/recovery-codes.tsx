import { useEffect, useRef } from 'react'
import { brand } from '#site/brand.ts'
import { Button } from '../components/button.tsx'
import panel from '../components/panel.module.css'
import { notify } from '../shell/notices.tsx'
import styles from './factors.module.css'

const download = (codes: readonly string[]): void => {
  const file = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = file
  link.download = `${brand.name.toLowerCase()}-recovery-codes.txt`
  link.click()
  setTimeout(() => URL.revokeObjectURL(file), 60_000)
}

const copy = async (codes: readonly string[]): Promise<void> => {
  try {
    await navigator.clipboard.writeText(codes.join('\n'))
    notify({ text: 'Recovery codes copied.' })
  } catch {
    notify({ text: 'They could not be copied. Select them by hand.', tone: 'bad' })
  }
}

/** Recovery codes, the only time that they are shown. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className={styles.codes} aria-labelledby="recovery-codes">
      <h3 id="recovery-codes" tabIndex={-1} ref={heading}>
        Your recovery codes
      </h3>
      <p>
        Each signs you in once when your phone or key is not at hand. They are shown only now: print
        them, or keep them where you keep passwords.
      </p>
      <ol>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={panel.actions}>
        <Button look="line" onClick={() => void copy(codes)}>
          Copy
        </Button>
        <Button look="line" onClick={() => download(codes)}>
          Download
        </Button>
        <Button look="line" onClick={() => print()}>
          Print
        </Button>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </section>
  )
}
