import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, call } from '#client/call.ts'
import { login } from '#contract/auth.ts'
import { brand } from '#site/brand.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { BrandMark, Icon } from '../components/icon.tsx'
import { profileQuery } from '../shell/profile.ts'
import { returnRoute } from '../shell/return-route.ts'
import { isOutage, keepSession, patienceMs, sentenceOf } from '../shell/session.ts'
import { ThemeSwitch } from '../shell/shell.tsx'
import styles from './login.module.css'

interface Problem {
  text: string
  /** What can be done about it, where that is not plain. */
  advice?: string
}

/** Why an answer that came with success is no sign-in all the same; null when it is one. */
const problemWith = (answer: {
  success?: unknown
  token?: unknown
  user?: unknown
}): string | null => {
  if (!answer.success) return 'Invalid response from server'
  if (!answer.token) return 'No token received from server'
  return answer.user ? null : 'Invalid response from server'
}

/** The server's error message; without an answer of its own, what to do. */
const problemFrom = (error: unknown): Problem => {
  const text = sentenceOf(error, 'An error occurred during login')
  if (!isOutage(error)) return { text }
  const isUnreachable = error instanceof ApiError && error.status === 0
  return {
    text,
    advice: isUnreachable
      ? 'The server cannot be reached. Check your connection, then try again.'
      : 'The server cannot answer at the moment. Try again in a minute.',
  }
}

export function Login() {
  const { from } = useSearch({ from: '/admin/login' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [sending, setSending] = useState(false)
  const banner = useRef<HTMLDivElement>(null)

  // A new object each time, so that the same message takes focus again.
  const refuse = (text: string) => setProblem({ text })
  useEffect(() => {
    if (problem) banner.current?.focus()
  }, [problem])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email') ?? '').trim()
    const password = String(form.get('password') ?? '')
    if (!email || !password) return refuse('Please enter both username and password')

    setProblem(null)
    setSending(true)
    try {
      const answer = await call(login, { body: { email, password } }, { timeoutMs: patienceMs })
      if ('secondFactor' in answer) return refuse('This account needs a second factor to sign in.')
      const wrong = problemWith(answer)
      if (wrong) return refuse(wrong)
      keepSession(answer.token, answer.user)
      client.getQueryCache().clear()
      client.setQueryData(profileQuery.queryKey, answer.user)
      await navigate({
        href: `${returnRoute(from, location.origin)}${location.hash}`,
        replace: true,
      })
    } catch (error) {
      setProblem(problemFrom(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <a href="/" aria-label={`${brand.name}, home`}>
          <BrandMark />
          {brand.name}
        </a>
        <ThemeSwitch />
      </header>
      <main className={styles.main}>
        <svg className={styles.path} viewBox="0 0 320 90" aria-hidden="true">
          <path d="M2 86C70 86 96 18 170 18c58 0 76 34 132 24" />
          <path className={styles.waypoint} d="m301 33 9 15h-18Z" />
        </svg>
        <h1>Sign in</h1>
        <p className={styles.say}>The inbox, for staff.</p>
        {problem && (
          <div className={styles.problem} role="alert" tabIndex={-1} ref={banner}>
            <Icon name="warn" />
            <p>
              <b>{problem.text}</b> {problem.advice}
            </p>
          </div>
        )}
        <form noValidate onSubmit={(event) => void submit(event)}>
          <div className="plan">
            <Field
              id="email"
              name="email"
              label="Email"
              type="email"
              autoComplete="username"
              inputMode="email"
              spellCheck={false}
            />
            <Field
              id="password"
              name="password"
              label="Password"
              type="password"
              autoComplete="current-password"
            />
          </div>
          <Button type="submit" className={styles.submit} busy={sending && 'Signing In...'}>
            Sign In
          </Button>
        </form>
      </main>
    </div>
  )
}
