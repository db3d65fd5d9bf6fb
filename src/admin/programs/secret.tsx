import { focus } from '../browser/focus.ts'
import { Button, Close } from '../components/button.tsx'
import panel from '../components/panel.module.css'
import { copyText } from '../shell/copy-text.ts'
import styles from './programs.module.css'

interface Props {
  name: string
  value: string
  onDone: () => void
}

/** A token or a signing secret, the only time that it is shown. */
export function Secret({ name, value, onDone }: Props) {
  return (
    <>
      <p className={panel.say}>It is shown only now: keep it where the program keeps passwords.</p>
      <output ref={focus} className={styles.secret} aria-label={name} tabIndex={-1}>
        {value}
      </output>
      <div className={panel.actions}>
        <Button onClick={() => copyText(value, 'Copied.')}>Copy</Button>
        <Close onClick={onDone}>I have kept it</Close>
      </div>
    </>
  )
}
