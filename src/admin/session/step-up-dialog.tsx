import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '#client/call.ts'
import { passkeySignInOptions, stepUp } from '#contract/accounts/second-factor.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { factorsQuery } from './factors-query.ts'
import { answerWithPasskey, canUsePasskeys, passkeySentence } from './passkeys.ts'
import { ask, sentenceOf } from './session.ts'
import { settleStepUp } from './step-up.ts'

const withPasskey = async (): Promise<void> => {
  const { data } = await ask(passkeySignInOptions, {})
  const response = await answerWithPasskey(data.options)
  await ask(stepUp, { body: { challenge: data.challenge, response } })
}

const refusal = (error: unknown, hasCode: boolean): string => {
  if (!(error instanceof ApiError && error.code === 'invalid_credentials'))
    return sentenceOf(error, 'That did not work. Please try again.')
  return hasCode
    ? 'The password or the code is wrong. A code works once: wait for the next one.'
    : 'The password is wrong.'
}

/** Asks who is there, once for all calls that wait for it. The screen below keeps what was typed. */
export function StepUpDialog() {
  const id = useId()
  const { data: factors } = useQuery(factorsQuery)
  const [problem, setProblem] = useState<{ text: string } | null>(null)
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null)
  const alert = useRef<HTMLParagraphElement>(null)
  const hasCode = Boolean(factors?.totp)
  const hasPasskey = (factors?.passkeys.length ?? 0) > 0 && canUsePasskeys()

  useEffect(() => {
    if (problem) alert.current?.focus()
  }, [problem])

  const attempt = async (
    way: 'password' | 'passkey',
    work: () => Promise<unknown>,
    say: (error: unknown) => string,
  ) => {
    setProblem(null)
    setBusy(way)
    try {
      await work()
      settleStepUp(true)
    } catch (error) {
      setProblem({ text: say(error) })
    } finally {
      setBusy(null)
    }
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = String(form.get('password') ?? '')
    const code = String(form.get('code') ?? '').replace(/\s/g, '')
    if (!password || (hasCode && !code))
      return setProblem({ text: 'Please fill in all required fields' })
    const body = { password, ...(hasCode ? { code } : {}) }
    void attempt(
      'password',
      () => ask(stepUp, { body }),
      (error) => refusal(error, hasCode),
    )
  }

  return (
    <Dialog title="Confirm that it is you" onClose={() => settleStepUp(false)}>
      <p className={panel.say}>
        You signed in more than {limits.stepUpMinutes} minutes ago, and this changes accounts or
        personal data. What you began goes on afterwards.
      </p>
      {problem && (
        <p className={table.problem} role="alert" tabIndex={-1} ref={alert}>
          {problem.text}
        </p>
      )}
      <form noValidate onSubmit={submit}>
        <div className="plan">
          <Field
            id={`${id}-password`}
            name="password"
            label="Your password"
            type="password"
            autoComplete="current-password"
          />
          {hasCode && (
            <Field
              id={`${id}-code`}
              name="code"
              label="Code of your authenticator app"
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          )}
        </div>
        <div className={panel.actions}>
          <Button type="submit" busy={busy === 'password' && 'Confirming...'}>
            Confirm
          </Button>
          {hasPasskey && (
            <Button
              look="line"
              busy={busy === 'passkey' && 'Waiting...'}
              onClick={() => void attempt('passkey', withPasskey, passkeySentence)}
            >
              Use a passkey
            </Button>
          )}
          <Button look="line" onClick={() => settleStepUp(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
