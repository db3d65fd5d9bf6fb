import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/call.ts'
import { confirmReset, requestReset } from '#contract/accounts/links.ts'
import { limits } from '#contract/limits.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { textIn, valueIn } from '../components/form.tsx'
import { isGone, patienceMs } from '../session/session.ts'
import { AuthPage, OtherScreen, type Problem } from './auth-page.tsx'
import styles from './login.module.css'
import { NewPassword, passwordsDiffer, useLinkToken } from './mailed-link.tsx'

const linkIsOver: Problem = {
  text: 'This link no longer works.',
  advice: 'Ask for a new one here.',
}

/** A forgotten password: asks for the link, and, opened by it, sets a new one. */
export function Reset() {
  const token = useLinkToken()
  const [isOver, setIsOver] = useState(false)
  return token && !isOver ? (
    <SetPassword token={token} onOver={() => setIsOver(true)} />
  ) : (
    <AskForLink problem={isOver ? linkIsOver : null} />
  )
}

/** `problem`: why the person is here, until they ask for a link. */
function AskForLink({ problem: reason }: { problem: Problem | null }) {
  const send = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const body = { email: textIn(form, 'email') }
      await call(requestReset, { body }, { timeoutMs: patienceMs })
    },
  })
  const { isSuccess: isSent } = send

  return (
    <AuthPage
      title="Forgot password?"
      say={`A link by mail lets you choose a new one. It works for ${limits.resetMinutes} minutes.`}
      problem={send.isIdle ? reason : null}
    >
      <p role="status" className={isSent ? styles.sent : 'visually-hidden'}>
        {isSent &&
          'If there is an account with this address, a mail is on its way. No mail? A superuser can set a new password for you.'}
      </p>
      {!isSent && (
        <CheckedForm
          error={send.error}
          failed="The link was not asked for. Please try again."
          onSend={send.mutate}
        >
          <div className="form-grid">
            <Field
              name="email"
              label="Email"
              type="email"
              autoComplete="username"
              inputMode="email"
              spellCheck={false}
            />
          </div>
          <Button type="submit" className={styles.submit} busy={send.isPending && 'Sending...'}>
            Send the link
          </Button>
        </CheckedForm>
      )}
      <OtherScreen to="/admin/login">Sign in</OtherScreen>
    </AuthPage>
  )
}

function SetPassword({ token, onOver }: { token: string; onOver: () => void }) {
  const change = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const body = { token, newPassword: valueIn(form, 'password') }
      await call(confirmReset, { body }, { timeoutMs: patienceMs })
    },
    onError: (error) => {
      if (isGone(error)) onOver()
    },
  })
  const { isSuccess: isDone } = change

  return (
    <AuthPage
      title="New password"
      say="Every session of your account ends. Your second factors stay."
      problem={null}
    >
      <p role="status" className={isDone ? styles.sent : 'visually-hidden'}>
        {isDone && 'Your password is changed. Sign in with the new one.'}
      </p>
      {isDone ? (
        <OtherScreen to="/admin/login">Sign in</OtherScreen>
      ) : (
        <CheckedForm
          error={change.error}
          failed="The password was not changed. Please try again."
          check={passwordsDiffer}
          onSend={change.mutate}
        >
          <div className="form-grid">
            <NewPassword label="New password" />
          </div>
          <Button type="submit" className={styles.submit} busy={change.isPending && 'Changing...'}>
            Change password
          </Button>
        </CheckedForm>
      )}
    </AuthPage>
  )
}
