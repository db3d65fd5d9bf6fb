import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '#client/call.ts'
import type { SecondFactorWanted, SignedIn } from '#contract/accounts/auth.ts'
import { secondFactor } from '#contract/accounts/second-factor.ts'
import type { BodyInput } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Close } from '../components/button.tsx'
import { CheckedForm, problemFrom } from '../components/checked-form.tsx'
import { textIn } from '../components/form.tsx'
import panel from '../components/panel.module.css'
import {
  answerWithPasskey,
  canUsePasskeys,
  endCeremony,
  PasskeyPlace,
  passkeySentence,
  wasEnded,
} from '../session/passkeys.tsx'
import { patienceMs } from '../session/session.ts'
import type { Problem } from './auth-page.tsx'
import styles from './login.module.css'

type Method = SecondFactorWanted['methods'][number]
type Answer = Omit<BodyInput<typeof secondFactor>, 'challenge'>

const offers: Record<Method, string> = {
  passkey: 'Use a passkey',
  totp: 'Use the authenticator app',
  recovery: 'Use a recovery code',
}

const fields = {
  totp: {
    label: 'Code of your authenticator app',
    hint: 'Six digits.',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    wrong: 'The code is wrong, or was used already. Wait for the next one.',
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of those that you printed or kept. It works once.',
    inputMode: 'text',
    autoComplete: 'off',
    wrong: 'The recovery code is wrong, or was used already.',
  },
} as const

const isWrong = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'invalid_credentials'

interface Props {
  wanted: SecondFactorWanted
  onSignedIn: (answer: SignedIn) => Promise<void>
  onProblem: (problem: Problem | null) => void
  /** Back to the password, by choice or because the challenge has ended. */
  onBack: (problem: Problem | null) => void
}

export function SecondFactorStep({ wanted, onSignedIn, onProblem, onBack }: Props) {
  const usable = wanted.methods.filter((name) => name !== 'passkey' || canUsePasskeys())
  const [method, setMethod] = useState<Method>(usable[0] ?? 'recovery')
  const [sending, setSending] = useState(false)
  const wrongs = useRef(0)
  const part = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each way has its own control
  useEffect(() => {
    part.current?.querySelector<HTMLElement>('input, button')?.focus()
    // Cancels a passkey prompt that is still open.
    return endCeremony
  }, [method])

  const refuse = (error: unknown, wrong: string) => {
    if (!isWrong(error)) return onProblem(problemFrom(error, 'An error occurred during login'))
    wrongs.current += 1
    const isOver =
      wrongs.current >= limits.challengeTries || Date.now() > Date.parse(wanted.expiresAt)
    if (isOver) return onBack({ text: 'That took too long or too many tries. Sign in again.' })
    onProblem({ text: wrong })
  }

  const send = async (answer: () => Promise<Answer>, onError: (error: unknown) => void) => {
    onProblem(null)
    setSending(true)
    try {
      const body = { challenge: wanted.challenge, ...(await answer()) }
      await onSignedIn(await call(secondFactor, { body }, { timeoutMs: patienceMs }))
    } catch (error) {
      onError(error)
    } finally {
      setSending(false)
    }
  }

  const submit = (form: HTMLFormElement) => {
    if (method === 'passkey') return
    const typed = textIn(form, 'code')
    const answer = method === 'totp' ? { code: typed.replace(/\s/g, '') } : { recoveryCode: typed }
    void send(
      async () => answer,
      (error) => {
        form.reset()
        refuse(error, fields[method].wrong)
      },
    )
  }

  const answerByPasskey = () => {
    const { options } = wanted
    if (!options) return
    void send(
      async () => ({ response: await answerWithPasskey(options) }),
      (error) => {
        if (error instanceof ApiError) refuse(error, 'This passkey is not one of your account.')
        else if (!wasEnded(error)) onProblem({ text: passkeySentence(error) })
      },
    )
  }

  return (
    <div ref={part}>
      {method === 'passkey' ? (
        <Button className={styles.submit} busy={sending && 'Waiting...'} onClick={answerByPasskey}>
          {offers.passkey}
        </Button>
      ) : (
        <CheckedForm key={method} onInvalid={() => onProblem(null)} onSend={submit}>
          <div className="form-grid">
            <Field
              name="code"
              label={fields[method].label}
              hint={fields[method].hint}
              inputMode={fields[method].inputMode}
              autoComplete={fields[method].autoComplete}
              spellCheck={false}
            />
          </div>
          <Button type="submit" className={styles.submit} busy={sending && 'Signing In...'}>
            Sign In
          </Button>
        </CheckedForm>
      )}
      <div className={panel.actions}>
        {usable
          .filter((name) => name !== method)
          .map((name) => (
            <Button
              key={name}
              look="line"
              small
              onClick={() => {
                onProblem(null)
                setMethod(name)
              }}
            >
              {offers[name]}
            </Button>
          ))}
        <Close onClick={() => onBack(null)}>Back</Close>
      </div>
      {wanted.methods.includes('passkey') && <PasskeyPlace />}
    </div>
  )
}
