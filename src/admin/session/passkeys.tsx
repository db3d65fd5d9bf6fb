import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { PasskeyRequest } from '#contract/accounts/auth.ts'
import type { PasskeyCreation } from '#contract/accounts/second-factor.ts'
import buttons from '../components/button.module.css'
import panel from '../components/panel.module.css'
import { sentenceOf } from './session.ts'

/** Passkeys in the browser. Options and answers are the JSON forms of the Web Authentication API. */
type Json = Record<string, unknown>

/** The address of this page under which passkeys work; null where they work already. */
export const localhostUrl = (): string | null => {
  const { hostname, port, pathname, search, protocol } = location
  const isNumeric = /^(?:127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return isNumeric ? `${protocol}//localhost${port && `:${port}`}${pathname}${search}` : null
}

export const canUsePasskeys = (): boolean => browserSupportsWebAuthn() && localhostUrl() === null

/** True if the browser offers passkeys in the list of its autofill. */
export const canOfferPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() && (await browserSupportsWebAuthnAutofill())

export const answerWithPasskey = async (options: PasskeyRequest): Promise<Json> => ({
  ...(await startAuthentication({ optionsJSON: options })),
})

/** Waits, without showing anything, until the person picks a passkey from the autofill. */
export const answerByAutofill = async (options: PasskeyRequest): Promise<Json> => ({
  ...(await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: true,
    verifyBrowserAutofillInput: false,
  })),
})

export const createPasskey = async (options: PasskeyCreation): Promise<Json> => ({
  ...(await startRegistration({ optionsJSON: options })),
})

/** Ends a ceremony that still waits, such as that of the autofill. */
export const endCeremony = (): void => WebAuthnAbortService.cancelCeremony()

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

/**
 * True if a passkey prompt was cancelled by {@link endCeremony} or by a newer prompt; such an error
 * is not shown.
 */
export const wasEnded = (error: unknown): boolean => nameOf(error) === 'AbortError'

/** The problem with a passkey, in the server's words if the server refused. */
export const passkeySentence = (error: unknown): string => {
  const name = nameOf(error)
  if (name === 'InvalidStateError') return 'This device already holds a passkey of your account.'
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was used. Try again, or choose another way.'
  return sentenceOf(error, 'The passkey did not work. Try again, or choose another way.')
}

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
