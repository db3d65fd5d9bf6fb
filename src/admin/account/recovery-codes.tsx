import { focus } from '../browser/focus.ts'
import { saveFile } from '../browser/save-file.ts'
import { Button } from '../components/button.tsx'
import panel from '../components/panel.module.css'
import { copyText } from '../shell/copy-text.ts'
import { site } from '../site.ts'
import styles from './factors.module.css'

const download = (text: string): void =>
  saveFile(
    new Blob([`${text}\n`], { type: 'text/plain' }),
    `${site.name.toLowerCase()}-recovery-codes.txt`,
  )

const copy = (text: string): Promise<void> =>
  copyText(text, 'Recovery codes copied.', 'They could not be copied. Select them by hand.')

/** Recovery codes, the only time that they are shown. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n')
  return (
    <section className={styles.codes} aria-labelledby="recovery-codes">
      <h3 id="recovery-codes" tabIndex={-1} ref={focus}>
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
        <Button look="line" onClick={() => void copy(text)}>
          Copy
        </Button>
        <Button look="line" onClick={() => download(text)}>
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
