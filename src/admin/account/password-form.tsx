import { useMutation } from '@tanstack/react-query'
import { changePassword } from '#contract/accounts/auth.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { Button } from '../components/button.tsx'
import { CheckedForm } from '../components/checked-form.tsx'
import { differing, valueIn } from '../components/form.tsx'
import panel from '../components/panel.module.css'
import { queryClient } from '../session/query-client.ts'
import { ask, keepSession, readToken } from '../session/session.ts'
import { notify } from '../shell/notices.tsx'

const passwordFields = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New password', autoComplete: 'new-password' },
  { name: 'confirm', label: 'Confirm new password', autoComplete: 'new-password' },
] as const

/** Changes the signed-in person's own password, which ends their other sessions. */
export function PasswordForm({ onDone }: { onDone?: () => void }) {
  const save = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const [currentPassword = '', newPassword = ''] = passwordFields.map(({ name }) =>
        valueIn(form, name),
      )
      const before = readToken()
      const { token, user } = await ask(changePassword, { body: { currentPassword, newPassword } })
      // The session has ended meanwhile, here or in another tab.
      if (readToken() !== before) return false
      keepSession(token, user)
      form.reset()
      return true
    },
    onSuccess: (isKept) => {
      if (!isKept) return
      notify({ text: 'Password changed. Your other sessions have ended.' })
      // Tokens and the address of the calendar end, too.
      for (const ended of ['sessions', 'tokens', 'times'])
        void queryClient.invalidateQueries({ queryKey: [ended] })
      onDone?.()
    },
  })

  return (
    <CheckedForm
      error={save.error}
      failed="Failed to change the password. Please try again."
      check={differing('newPassword', 'confirm')}
      onSend={save.mutate}
    >
      <div className="form-grid">
        {passwordFields.map(({ name, label, autoComplete }) => (
          <Field
            key={name}
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
        <Button type="submit" look="line" busy={save.isPending && 'Changing...'}>
          Change password
        </Button>
      </div>
    </CheckedForm>
  )
}
