import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { register, type User, updateUser } from '#contract/accounts/users.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { useKeyFor } from '../browser/use-key-for.ts'
import { CheckedForm } from '../components/checked-form.tsx'
import { Choice } from '../components/choice.tsx'
import { Conflict, storedIn } from '../components/conflict.tsx'
import { differing, focusFirst, SubmitOrCancel } from '../components/form.tsx'
import { TextLink } from '../components/text-link.tsx'
import { When } from '../components/when.tsx'
import { ask } from '../session/session.ts'
import { RoleField } from './role-field.tsx'
import styles from './users.module.css'

/** The values that the form of an account edits, besides the password. */
type Values = Pick<User, 'username' | 'email' | 'role'>

const valuesOf = ({ username, email, role }: User): Values => ({ username, email, role })

const trimmed = ({ username, email, role }: Values): Values => ({
  username: username.trim(),
  email: email.trim(),
  role,
})

/** The changed values only: a form must not restore a role that was removed meanwhile. */
const changesOf = (stored: Values, typed: Values): Partial<Values> => ({
  ...(typed.username === stored.username ? {} : { username: typed.username }),
  ...(typed.email === stored.email ? {} : { email: typed.email }),
  ...(typed.role === stored.role ? {} : { role: typed.role }),
})

/** The form's values after a conflict: typed values stay, all others come from the stored account. */
const rebase = (base: Values, newer: User, typed: Values): Values => ({
  ...valuesOf(newer),
  ...changesOf(base, typed),
})

interface UserFormProps {
  /** The account to edit; undefined for a new one. */
  user?: User
  /** The signed-in user's own account, whose password is changed on the account page. */
  isSelf?: boolean
  onStored: () => Promise<unknown>
  onClose: () => void
}

const adding = {
  action: 'Add User',
  busy: 'Adding...',
  failed: 'Failed to add user. Please try again.',
  done: 'User added successfully!',
}

const editing: typeof adding = {
  action: 'Update User',
  busy: 'Updating...',
  failed: 'Failed to update user. Please try again.',
  done: 'User updated successfully!',
}

/** Milliseconds that the success message is shown before the form closes. */
const DONE_MS = 2_000

const blank: Values = { username: '', email: '', role: 'admin' }

const noPasswords = { password: '', confirmation: '', mustChange: true }

export function UserForm({ user, isSelf = false, onStored, onClose }: UserFormProps) {
  const { action, busy, failed, done } = user ? editing : adding
  const id = useId()
  const [stored, setStored] = useState(user)
  const [typed, setTyped] = useState<Values>(user ? valuesOf(user) : blank)
  const [passwords, setPasswords] = useState(noPasswords)
  const [isConflict, setIsConflict] = useState(false)
  const { keyFor } = useKeyFor()
  const set = (change: Partial<Values>) => setTyped((values) => ({ ...values, ...change }))
  const setPassword = (change: Partial<typeof noPasswords>) =>
    setPasswords((values) => ({ ...values, ...change }))

  const save = useMutation({
    mutationFn: async () => {
      const values = trimmed(typed)
      const { password, mustChange: mustChangePassword } = passwords
      const newPassword = { password, mustChangePassword }
      try {
        if (stored) {
          const changes = { ...changesOf(stored, values), ...(password ? newPassword : {}) }
          const body = { ...changes, version: stored.version }
          const idempotencyKey = keyFor(body)
          await ask(updateUser, { params: { id: stored._id }, body }, { idempotencyKey })
          // A change of the user's own e-mail or role ends their session: guard.tsx handles it.
        } else {
          const body = { ...values, ...newPassword }
          await ask(register, { body }, { idempotencyKey: keyFor(body) })
        }
        await onStored()
      } catch (error) {
        const newer = storedIn<User>(error)
        if (!newer || !stored) throw error
        // Keeps what was typed while the change was sent.
        setTyped((now) => rebase(stored, newer, trimmed(now)))
        setStored(newer)
        setIsConflict(true)
        return 'conflict'
      }
      return 'saved'
    },
  })
  const isDone = save.data === 'saved'
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(onClose, DONE_MS)
    return () => clearTimeout(timer)
  }, [isDone, onClose])

  return (
    <section className={styles.editor} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{user ? `Edit ${user.username}` : 'Add New User'}</h2>
      <p role="status" className={isDone ? styles.success : 'visually-hidden'}>
        {isDone && done}
      </p>
      {!user && (
        <p className={styles.say}>
          You choose a password here and pass it on. Inviting is safer: then only they know theirs.
        </p>
      )}
      <CheckedForm
        ref={focusFirst}
        error={save.error}
        failed={failed}
        check={differing('password', 'confirmation')}
        onSend={() => save.mutate()}
      >
        <div className="form-grid">
          <Field
            name="username"
            label="Username"
            half
            value={typed.username}
            onChange={(event) => set({ username: event.target.value })}
            maxLength={limits.username.max}
            autoComplete="off"
            spellCheck={false}
          />
          <Field
            name="email"
            label="Email"
            half
            type="email"
            value={typed.email}
            onChange={(event) => set({ email: event.target.value })}
            maxLength={limits.email}
            autoComplete="off"
          />
          <RoleField
            id={`${id}-role`}
            role={typed.role}
            {...(user ? { onChange: (role) => set({ role }) } : {})}
          />
          {isSelf ? (
            <p className="field">
              <TextLink to="/admin/account">Change your password on your account page</TextLink>
            </p>
          ) : (
            <>
              <Field
                name="password"
                label={user ? 'New Password' : 'Password'}
                hint={`${user ? 'Leave blank to keep the current one. ' : ''}At least ${limits.password.min} characters.`}
                half
                optional={user !== undefined}
                type="password"
                value={passwords.password}
                onChange={(event) => setPassword({ password: event.target.value })}
                autoComplete="new-password"
              />
              <Field
                name="confirmation"
                label="Confirm Password"
                half
                optional={user !== undefined}
                type="password"
                value={passwords.confirmation}
                onChange={(event) => setPassword({ confirmation: event.target.value })}
                autoComplete="new-password"
              />
            </>
          )}
        </div>
        {!isSelf && (!user || passwords.password) && (
          <Choice
            label="Must be changed at the first sign-in"
            checked={passwords.mustChange}
            onChange={(event) => setPassword({ mustChange: event.target.checked })}
          />
        )}
        <SubmitOrCancel disabled={isDone} busy={save.isPending && busy} onCancel={onClose}>
          {action}
        </SubmitOrCancel>
      </CheckedForm>
      {isConflict && stored && (
        <Conflict
          name={stored.username}
          sides={[
            ['Username', stored.username, typed.username],
            ['Email', stored.email, typed.email],
            ['Role', stored.role, typed.role],
            ...(passwords.password ? [['Password', 'as it is', 'a new one'] as const] : []),
          ]}
          onKeep={() => {
            setTyped(valuesOf(stored))
            setPasswords(noPasswords)
            setIsConflict(false)
          }}
          onSave={() => {
            setIsConflict(false)
            save.mutate()
          }}
          onClose={() => setIsConflict(false)}
        >
          {' '}
          <When at={stored.updatedAt} /> by someone else
        </Conflict>
      )}
    </section>
  )
}
