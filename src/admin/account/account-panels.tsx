import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '#client/call.ts'
import { changePassword, endSession, sessions } from '#contract/auth.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import buttons from '../components/button.module.css'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { When } from '../components/when.tsx'
import { notify } from '../shell/notices.tsx'
import { useProfile } from '../shell/profile.ts'
import { ask, keepSession, sentenceOf } from '../shell/session.ts'

/** The signed-in user's profile, password and sessions. */
export function AccountPanels() {
  const { username, email, role } = useProfile()
  return (
    <div className={panel.panels}>
      <section className={panel.panel} aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <dl className={panel.facts}>
          <div>
            <dt>Username</dt>
            <dd>{username}</dd>
          </div>
          <div>
            <dt>Email</dt>
            <dd>{email}</dd>
          </div>
          <div>
            <dt>Role</dt>
            <dd>{role}</dd>
          </div>
        </dl>
      </section>
      <PasswordPanel />
      <SessionsPanel />
    </div>
  )
}

const passwordFields = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New password', autoComplete: 'new-password' },
  { name: 'confirm', label: 'Confirm new password', autoComplete: 'new-password' },
] as const

function PasswordPanel() {
  const client = useQueryClient()
  const [problem, setProblem] = useState<{ text: string } | null>(null)
  const [saving, setSaving] = useState(false)
  const alert = useRef<HTMLParagraphElement>(null)
  const id = useId()

  useEffect(() => {
    if (problem) alert.current?.focus()
  }, [problem])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const [currentPassword = '', newPassword = '', confirm = ''] = passwordFields.map(({ name }) =>
      String(new FormData(form).get(name) ?? ''),
    )
    if (!currentPassword || !newPassword)
      return setProblem({ text: 'Please fill in all required fields' })
    if (newPassword !== confirm) return setProblem({ text: 'Passwords do not match' })
    setProblem(null)
    setSaving(true)
    try {
      const { token, user } = await ask(changePassword, { body: { currentPassword, newPassword } })
      keepSession(token, user)
      form.reset()
      notify({ text: 'Password changed. Your other sessions have ended.' })
      void client.invalidateQueries({ queryKey: ['sessions'] })
    } catch (error) {
      const message =
        error instanceof ApiError && Object.values(error.fields).flat().length > 0
          ? Object.values(error.fields).flat().join(', ')
          : sentenceOf(error, 'Failed to change the password. Please try again.')
      setProblem({ text: message })
    } finally {
      setSaving(false)
    }
  }

  return (
    <section className={panel.panel} aria-labelledby="password">
      <h2 id="password">Password</h2>
      {problem && (
        <p className={table.problem} role="alert" tabIndex={-1} ref={alert}>
          {problem.text}
        </p>
      )}
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="plan">
          {passwordFields.map(({ name, label, autoComplete }) => (
            <Field
              key={name}
              id={`${id}-${name}`}
              name={name}
              label={label}
              type="password"
              autoComplete={autoComplete}
            />
          ))}
        </div>
        <div className={panel.actions}>
          <Button type="submit" look="line" small busy={saving && 'Changing...'}>
            Change password
          </Button>
        </div>
      </form>
    </section>
  )
}

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await ask(sessions, {}, { signal })).data,
})

function SessionsPanel() {
  const client = useQueryClient()
  const { data, error } = useQuery(sessionsQuery)

  const end = async (id: string) => {
    try {
      await ask(endSession, { params: { id } })
      client.setQueryData(sessionsQuery.queryKey, (list) => list?.filter(({ _id }) => _id !== id))
      notify({ text: 'Session ended' })
    } catch (failure) {
      notify({ text: sentenceOf(failure, 'Failed to end the session.'), tone: 'bad' })
    }
  }

  return (
    <section className={panel.panel} aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      {error && !data && (
        <p className={table.problem}>{sentenceOf(error, 'Failed to load your sessions.')}</p>
      )}
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Since</th>
            <th scope="col">Last used</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {data?.map((session) => (
            <tr key={session._id}>
              <th scope="row">{session.browser ?? 'Unknown browser'}</th>
              <td data-label="Since">
                <When at={session.createdAt} />
              </td>
              <td data-label="Last used">
                <When at={session.lastUsedAt} />
              </td>
              <td data-label="Actions">
                {session.current ? (
                  <span className={table.soft}>This one</span>
                ) : (
                  <button
                    type="button"
                    className={buttons.link}
                    onClick={() => void end(session._id)}
                  >
                    End session
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
