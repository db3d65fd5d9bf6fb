import { type ReactNode, useEffect, useState } from 'react'
import { call } from '#client/call.ts'
import { login, type SecondFactorWanted, type SignedIn } from '#contract/accounts/auth.ts'
import { limits } from '#contract/limits.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { useUnsaved } from '../changes/change.ts'
import { LinkButton } from '../components/button.tsx'
import { CheckedForm, problemFrom } from '../components/checked-form.tsx'
import { textIn, valueIn } from '../components/form.tsx'
import { counted } from '../format/count.ts'
import { lazyComponent } from '../router/lazy-component.tsx'
import { navigate, useLocation } from '../router/location.ts'
import {
  deviceId,
  hasLapsed,
  onSignedInElsewhere,
  onSignedOut,
  patienceMs,
  wasSignedOut,
} from '../session/session.ts'
import { Loading } from '../shell/guard.tsx'
import { loadClicks } from '../shell/notification-clicks.ts'
import { AuthPage, OtherScreen, type Problem } from './auth-page.tsx'
import styles from './login.module.css'
import { goOn, useSignIn } from './use-sign-in.ts'

// The form is there before they are.
const PasskeySignIn = lazyComponent(() =>
  import('./passkey-sign-in.tsx').then((m) => m.PasskeySignIn),
)
const SecondFactorStep = lazyComponent(
  () => import('./second-factor-step.tsx').then((m) => m.SecondFactorStep),
  <Loading />,
)

/** The problem of an answer that came with success and is no sign-in; null for a sign-in. */
const problemWith = (answer: Partial<SignedIn & { success: boolean }>): string | null => {
  if (!answer.success) return 'Invalid response from server'
  if (!answer.token) return 'No token received from server'
  return answer.user ? null : 'Invalid response from server'
}

export function Login() {
  const search = useLocation((location) => location.search)
  const from = new URLSearchParams(search).get('from') ?? undefined
  const signIn = useSignIn(from)
  useEffect(() => onSignedInElsewhere(() => void goOn(from)), [from])
  useEffect(() => {
    // A tab may be refused before it hears of the sign-out: the next person does not go on there.
    const forget = () => void navigate('/admin/login', { replace: true })
    if (from && wasSignedOut()) forget()
    return onSignedOut(forget)
  }, [from])
  useEffect(() => void loadClicks().then((clicks) => clicks?.takeClicks()), [])
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isShown, setIsShown] = useState(false)
  const [sending, setSending] = useState(false)
  const [wanted, setWanted] = useState<SecondFactorWanted | null>(null)

  const ended = useEnded()

  const send = async (form: HTMLFormElement) => {
    const email = textIn(form, 'email')
    const password = valueIn(form, 'password')
    setProblem(null)
    setSending(true)
    try {
      const body = { email, password, device: deviceId() }
      const answer = await call(login, { body }, { timeoutMs: patienceMs })
      if ('secondFactor' in answer) return setWanted(answer.secondFactor)
      const wrong = problemWith(answer)
      if (wrong) return setProblem({ text: wrong })
      await signIn(answer)
    } catch (error) {
      setProblem(problemFrom(error, 'An error occurred during login'))
    } finally {
      setSending(false)
    }
  }

  if (wanted)
    return (
      <AuthPage title="One more step" say="Your password was right." problem={problem}>
        <SecondFactorStep
          wanted={wanted}
          onSignedIn={signIn}
          onProblem={setProblem}
          onBack={(next) => {
            setWanted(null)
            setProblem(next)
          }}
        />
      </AuthPage>
    )

  return (
    <AuthPage
      title="Sign in"
      say={ended ?? 'The inbox and the site, for the team.'}
      problem={problem}
    >
      <CheckedForm
        missing="Please enter both username and password"
        onInvalid={() => setProblem(null)}
        onSend={(form) => void send(form)}
      >
        <div className="form-grid">
          <Field
            id="email"
            name="email"
            label="Email"
            type="email"
            autoComplete="username webauthn"
            inputMode="email"
            spellCheck={false}
          />
          <Field
            id="password"
            name="password"
            label="Password"
            type={isShown ? 'text' : 'password'}
            autoComplete="current-password"
            spellCheck={false}
            beside={
              <LinkButton
                className={styles.show}
                on="password"
                onClick={() => setIsShown(!isShown)}
              >
                {isShown ? 'Hide' : 'Show'}
              </LinkButton>
            }
          />
        </div>
        <Button type="submit" className={styles.submit} busy={sending && 'Signing In...'}>
          Sign In
        </Button>
      </CheckedForm>
      <PasskeySignIn onSignedIn={signIn} onProblem={setProblem} />
      <OtherScreen to="/admin/reset">Forgot password?</OtherScreen>
    </AuthPage>
  )
}

/** Tells at the sign-in that the session has ended by itself, and what waits; undefined after any other end. */
const useEnded = (): ReactNode => {
  // Read once: a sign-in clears the mark while this screen is still shown.
  const [isEnded] = useState(hasLapsed)
  const waiting = useUnsaved().map(({ state }) => state.variables)
  if (!isEnded) return undefined
  const messages = waiting.filter(({ message, undoes }) => message !== undefined && !undoes).length
  const changes = waiting.length - messages
  return (
    <span className={styles.ended} role="status">
      <b>Your session has ended.</b> Sign in to go on. Answers and notes that you have begun are
      kept.
      {changes > 0 && ` Once you are signed in, ${counted(changes, 'change')} will be saved.`}
      {messages > 0 &&
        ` Once you are signed in, ${counted(messages, 'message')} will be sent; you can undo that for ${limits.messageDelaySeconds} seconds.`}
    </span>
  )
}
