import { useEffect, useRef, useState } from 'react'
import { encode } from 'uqr'
import { ApiError } from '#client/call.ts'
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  passkeyAddOptions,
} from '#contract/accounts/second-factor.ts'
import type { OutputOf } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { FormError, Problem, SubmitOrCancel, textIn, valueIn } from '../components/form.tsx'
import panel from '../components/panel.module.css'
import { factorsQuery } from '../session/factors-query.ts'
import {
  canUsePasskeys,
  createPasskey,
  endCeremony,
  PasskeyPlace,
  passkeySentence,
  wasEnded,
} from '../session/passkeys.tsx'
import { queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'
import styles from './factors.module.css'
import { RecoveryCodes } from './recovery-codes.tsx'

/** A QR code, drawn here: the secret in it goes to no other server. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}

type Step =
  | { at: 'choice' }
  | { at: 'passkey' }
  | { at: 'app'; app: OutputOf<typeof beginTotp>['data'] }
  | { at: 'codes'; codes: readonly string[] }

/** In groups of four, for those who type it. */
const grouped = (secret: string): string => secret.replace(/.{4}(?=.)/g, '$& ')

interface Props {
  hasApp?: boolean
  onDone?: () => void
}

/** Adds a passkey or an authenticator app, and shows the recovery codes that the first factor brings. */
export function SetUpFactor({ hasApp = false, onDone }: Props) {
  const [step, setStep] = useState<Step>({ at: 'choice' })
  const [problem, setProblem] = useState<FormError | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const stepsLeft = useRef(0)

  useEffect(() => {
    if (step.at === 'app' || step.at === 'passkey') field.current?.querySelector('input')?.focus()
    return () => {
      stepsLeft.current += 1
      setBusy(false)
      // Cancels a passkey prompt that is still open.
      endCeremony()
    }
  }, [step.at])

  /** Runs the work of a step; once the step is left, neither its failure nor its end changes the screen. */
  const attempt = async (
    work: (isLeft: () => boolean) => Promise<void>,
    say: (error: unknown) => string,
  ) => {
    const before = stepsLeft.current
    const isLeft = () => stepsLeft.current !== before
    setProblem(null)
    setBusy(true)
    try {
      await work(isLeft)
    } catch (error) {
      if (!isLeft() && !wasEnded(error)) setProblem(new FormError(say(error)))
    } finally {
      if (!isLeft()) setBusy(false)
    }
  }

  const finish = () => {
    setStep({ at: 'choice' })
    onDone?.()
  }

  const added = (text: string, codes: readonly string[] | undefined) => {
    void queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey })
    // A notice would cover the codes' buttons on a phone.
    if (codes) return setStep({ at: 'codes', codes })
    notify({ text })
    finish()
  }

  const beginApp = () =>
    attempt(
      async () => setStep({ at: 'app', app: (await ask(beginTotp, {})).data }),
      (error) => sentenceOf(error, 'The set-up could not begin. Please try again.'),
    )

  const confirmApp = (form: HTMLFormElement) => {
    const code = valueIn(form, 'code').replace(/\s/g, '')
    void attempt(
      async () => {
        const { data } = await ask(confirmTotp, { body: { code } })
        added('Authenticator app added.', data.recoveryCodes)
      },
      (error) =>
        error instanceof ApiError && error.code === 'invalid_credentials'
          ? 'The code is wrong. Check the clock of your phone, then type the next code.'
          : sentenceOf(error, 'The code could not be checked. Please try again.'),
    )
  }

  const addKey = (form: HTMLFormElement) => {
    const name = textIn(form, 'name')
    void attempt(async (isLeft) => {
      const { data } = await ask(passkeyAddOptions, {})
      // No prompt may open after Cancel.
      if (isLeft()) return
      const response = await createPasskey(data.options)
      const { challenge } = data
      const answer = await ask(addPasskey, { body: { challenge, response, name } })
      added('Passkey added.', answer.data.recoveryCodes)
    }, passkeySentence)
  }

  const cancel = () => {
    setProblem(null)
    setStep({ at: 'choice' })
  }

  return (
    <div ref={field} className={styles.setup}>
      <Problem error={step.at === 'choice' ? problem : null} failed="" />
      {step.at === 'choice' && (
        <>
          <div className={panel.actions}>
            {canUsePasskeys() && (
              <Button look="line" onClick={() => setStep({ at: 'passkey' })}>
                Add a passkey
              </Button>
            )}
            {!hasApp && (
              <Button look="line" busy={busy && 'Preparing...'} onClick={() => void beginApp()}>
                Set up an authenticator app
              </Button>
            )}
          </div>
          <PasskeyPlace />
        </>
      )}
      {step.at === 'passkey' && (
        <CheckedForm error={problem} onSend={addKey}>
          <p className={panel.say}>
            Your fingerprint, face or screen lock signs you in, without a password. Give the device
            a name by which you know it again.
          </p>
          <div className="form-grid">
            <Field
              name="name"
              label="Name of the passkey"
              hint="Such as “Laptop” or “Blue key”."
              maxLength={limits.passkeyName}
              autoComplete="off"
            />
          </div>
          <SubmitOrCancel busy={busy && 'Waiting...'} onCancel={cancel}>
            Add passkey
          </SubmitOrCancel>
        </CheckedForm>
      )}
      {step.at === 'app' && (
        <CheckedForm error={problem} onSend={confirmApp}>
          <ol className={styles.steps}>
            <li>
              Scan this with the app:
              <QrCode text={step.app.uri} label="QR code for the authenticator app" />
              <span>
                or type the key <code className={styles.secret}>{grouped(step.app.secret)}</code>
              </span>
            </li>
            <li>Type the six digits that it shows.</li>
          </ol>
          <div className="form-grid">
            <Field name="code" label="Code" inputMode="numeric" autoComplete="one-time-code" />
          </div>
          <SubmitOrCancel busy={busy && 'Checking...'} onCancel={cancel}>
            Confirm code
          </SubmitOrCancel>
        </CheckedForm>
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} onDone={finish} />}
    </div>
  )
}
