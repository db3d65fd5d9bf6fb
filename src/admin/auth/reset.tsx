import { type FormEvent, useId, useState } from 'react'
import { ApiError, call } from '#client/call.ts'
import { confirmReset, requestReset } from '#contract/accounts/password-reset.ts'
import { limits } from '#contract/limits.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import buttons from '../components/button.module.css'
import { Link } from '../router/link.tsx'
import { patienceMs } from '../session/session.ts'
import { AuthPage, type Problem } from './auth-page.tsx'
import styles from './login.module.css'
import { NewPassword, passwordsProblem } from './new-password.tsx'
import { useLinkToken } from './use-link-token.ts'
import { problemFrom } from './use-sign-in.ts'

/** A forgotten password: asks for the link, and, opened by it, sets a new one. */
export function Reset() {
  const token = useLinkToken()
  const [isOver, setIsOver] = useState(false)
  return token && !isOver ? (
    <SetPassword token={token} onOver={() => setIsOver(true)} />
  ) : (
    <AskForLink
      problem={
        isOver ? { text: 'This link no longer works.', advice: 'Ask for a new one here.' } : null
      }
    />
  )
}

const toSignIn = (
  <p className={styles.more}>
    <Link className={buttons.link} to="/admin/login">
      Sign in
    </Link>
  </p>
)

function AskForLink({ problem: first }: { problem: Problem | null }) {
  const id = useId()
  const [problem, setProblem] = useState(first)
  const [sending, setSending] = useState(false)
  const [isSent, setIsSent] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email') ?? '').trim()
    if (!email) return setProblem({ text: 'Please fill in all required fields' })
    setProblem(null)
    setSending(true)
    try {
      await call(requestReset, { body: { email } }, { timeoutMs: patienceMs })
      setIsSent(true)
    } catch (error) {
      setProblem(problemFrom(error, 'The link was not asked for. Please try again.'))
    } finally {
      setSending(false)
    }
  }

  return (
    <AuthPage
      title="Forgot password?"
      say={`A link by mail lets you choose a new one. It works for ${limits.resetMinutes} minutes.`}
      problem={problem}
    >
      <p role="status" className={isSent ? styles.sent : 'vh'}>
        {isSent &&
          'If there is an account with this address, a mail is on its way. No mail? A superuser can set a new password for you.'}
      </p>
      {!isSent && (
        <form noValidate onSubmit={(event) => void submit(event)}>
          <div className="plan">
            <Field
              id={`${id}-email`}
              name="email"
              label="Email"
              type="email"
              autoComplete="username"
              inputMode="email"
              spellCheck={false}
            />
          </div>
          <Button type="submit" className={styles.submit} busy={sending && 'Sending...'}>
            Send the link
          </Button>
        </form>
      )}
      {toSignIn}
    </AuthPage>
  )
}

function SetPassword({ token, onOver }: { token: string; onOver: () => void }) {
  const id = useId()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [sending, setSending] = useState(false)
  const [isDone, setIsDone] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const wrong = passwordsProblem(form)
    if (wrong) return setProblem({ text: wrong })
    setProblem(null)
    setSending(true)
    try {
      const body = { token, newPassword: String(form.get('password')) }
      await call(confirmReset, { body }, { timeoutMs: patienceMs })
      setIsDone(true)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return onOver()
      setProblem(problemFrom(error, 'The password was not changed. Please try again.'))
    } finally {
      setSending(false)
    }
  }

  return (
    <AuthPage
      title="New password"
      say="Every session of your account ends. Your second factors stay."
      problem={problem}
    >
      <p role="status" className={isDone ? styles.sent : 'vh'}>
        {isDone && 'Your password is changed. Sign in with the new one.'}
      </p>
      {isDone ? (
        toSignIn
      ) : (
        <form noValidate onSubmit={(event) => void submit(event)}>
          <div className="plan">
            <NewPassword id={id} label="New password" />
          </div>
          <Button type="submit" className={styles.submit} busy={sending && 'Changing...'}>
            Change password
          </Button>
        </form>
      )}
    </AuthPage>
  )
}
