import buttons from '../components/button.module.css'
import panel from '../components/panel.module.css'
import { localhostUrl } from './passkeys.ts'

/** Says where passkeys work, on an address for which browsers make none. */
export function PasskeyPlace() {
  const elsewhere = localhostUrl()
  if (!elsewhere) return null
  return (
    <p className={panel.actions}>
      <span>Passkeys need a name in the address:</span>
      <a className={buttons.link} href={elsewhere}>
        open {new URL(elsewhere).origin}
      </a>
    </p>
  )
}
