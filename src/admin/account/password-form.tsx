import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '#client/call.ts'
import { changePassword } from '#contract/accounts/auth.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button } from '../components/button.tsx'
import panel from '../components/panel.module.css'
import table from '../components/table.module.css'
import { ask, keepSession, sentenceOf } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'

const passwordFields = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New password', autoComplete: 'new-password' },
  { name: 'confirm', label: 'Confirm new password', autoComplete: 'new-password' },
] as const

/** Changes the signed-in person's own password, which ends their other sessions. */
export function PasswordForm({ onDone }: { onDone?: () => void }) {
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
      onDone?.()
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
    <>
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
              hint={
                name === 'newPassword' ? `At least ${limits.password.min} characters.` : undefined
              }
              type="password"
              autoComplete={autoComplete}
            />
          ))}
        </div>
        <div className={panel.actions}>
          <Button type="submit" look="line" busy={saving && 'Changing...'}>
            Change password
          </Button>
        </div>
      </form>
    </>
  )
}
