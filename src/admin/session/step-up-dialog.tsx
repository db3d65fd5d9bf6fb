import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError } from '#client/call.ts'
import { passkeySignInOptions, stepUp } from '#contract/accounts/second-factor.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button, Cancel } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError, valueIn } from '../components/form.tsx'
import panel from '../components/panel.module.css'
import { factorsQuery } from './factors-query.ts'
import { answerWithPasskey, canUsePasskeys, passkeySentence } from './passkeys.tsx'
import { queryClient } from './query-client.ts'
import { settleStepUp } from './requirement.ts'
import { ask } from './session.ts'

const byPasskey = async (): Promise<void> => {
  try {
    const { data } = await ask(passkeySignInOptions, {})
    const response = await answerWithPasskey(data.options)
    await ask(stepUp, { body: { challenge: data.challenge, response } })
  } catch (error) {
    throw new FormError(passkeySentence(error))
  }
}

const byPassword = async (form: HTMLFormElement, hasCode: boolean): Promise<void> => {
  const password = valueIn(form, 'password')
  const code = hasCode ? { code: valueIn(form, 'code').replace(/\s/g, '') } : {}
  try {
    await ask(stepUp, { body: { password, ...code } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'invalid_credentials')) throw error
    throw new FormError(
      hasCode
        ? 'The password or the code is wrong. A code works once: wait for the next one.'
        : 'The password is wrong.',
    )
  }
}

/** Asks who is there, once for all calls that wait for it. The screen below keeps what was typed. */
export function StepUpDialog() {
  const { data: factors } = useQuery(factorsQuery)
  const hasCode = Boolean(factors?.totp)
  const hasPasskey = (factors?.passkeys.length ?? 0) > 0 && canUsePasskeys()
  /** With the form, or with nothing for a passkey. */
  const confirm = useMutation({
    mutationFn: async (form: HTMLFormElement | null) => {
      if (!form) return byPasskey()
      // The password may be sent before it is known whether a code is needed, too.
      const known = await queryClient.ensureQueryData(factorsQuery).catch(() => undefined)
      if (known?.totp && !form.elements.namedItem('code'))
        throw new FormError('Enter the code of your authenticator app, too.')
      return byPassword(form, Boolean(known?.totp))
    },
    onSuccess: () => settleStepUp(true),
  })
  const isBusy = (byForm: boolean) => confirm.isPending && Boolean(confirm.variables) === byForm

  return (
    <Dialog title="Confirm that it is you" onClose={() => settleStepUp(false)}>
      <p className={panel.say}>
        You signed in more than {limits.stepUpMinutes} minutes ago, and this changes accounts or
        personal data. What you began goes on afterwards.
      </p>
      <CheckedForm
        error={confirm.error}
        failed="That did not work. Please try again."
        onSend={confirm.mutate}
      >
        <div className="form-grid">
          <Field
            name="password"
            label="Your password"
            type="password"
            autoComplete="current-password"
          />
          {hasCode && (
            <Field
              name="code"
              label="Code of your authenticator app"
              inputMode="numeric"
              autoComplete="one-time-code"
            />
          )}
        </div>
        <div className={panel.actions}>
          <Button type="submit" busy={isBusy(true) && 'Confirming...'}>
            Confirm
          </Button>
          {hasPasskey && (
            <Button
              look="line"
              busy={isBusy(false) && 'Waiting...'}
              onClick={() => confirm.mutate(null)}
            >
              Use a passkey
            </Button>
          )}
          <Cancel onClick={() => settleStepUp(false)} />
        </div>
      </CheckedForm>
    </Dialog>
  )
}
