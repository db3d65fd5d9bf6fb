import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '#client/call.ts'
import type { User } from '#contract/accounts/users.ts'
import { type Role, roles } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import buttons from '../components/button.module.css'
import { Button } from '../components/button.tsx'
import { Conflict } from '../components/conflict.tsx'
import { When } from '../components/when.tsx'
import { sentenceOf } from '../session/session.ts'
import { changesOf, rebase, type Values, valuesOf } from './user-values.ts'
import styles from './users.module.css'

export interface Sent {
  values: Values
  /** The values that differ from the account's. */
  changes: Partial<Values>
  /** Empty keeps the current one. */
  password: string
  /** Whether the password holds for the next sign-in only. */
  mustChangePassword: boolean
  /** The account's version that the changes are based on; none for a new account. */
  version: number | undefined
  /** The same for the same content, so that a retry after a lost answer saves nothing twice. */
  idempotencyKey: string
}

interface UserFormProps {
  title: string
  /** The account to edit; undefined for a new one. */
  user?: User
  /** The signed-in user's own account, whose password is changed on the account page. */
  isSelf?: boolean
  action: { idle: string; busy: string }
  failed: string
  done: string
  onSend: (sent: Sent) => Promise<void>
  onClose: () => void
}

/** Milliseconds that the success message is shown before the form closes. */
const DONE_MS = 2_000

const blank: Values = { username: '', email: '', role: 'admin' }

interface Passwords {
  password: string
  confirmation: string
  mustChange: boolean
}

const noPasswords: Passwords = { password: '', confirmation: '', mustChange: true }

/** The message about a missing or wrong value; null when the form may be sent. */
const problemOf = (values: Values, passwords: Passwords, isNew: boolean): string | null => {
  const isMissing = !values.username || !values.email || (isNew && !passwords.password)
  if (isMissing) return 'Please fill in all required fields'
  return passwords.password === passwords.confirmation ? null : 'Passwords do not match'
}

/** The stored account, when a change was refused because of a newer version. */
const storedIn = (error: unknown): User | undefined =>
  error instanceof ApiError && error.code === 'conflict'
    ? (error.data as User | undefined)
    : undefined

const useIdempotencyKey = (): ((content: unknown) => string) => {
  const last = useRef({ content: '', key: '' })
  return (value) => {
    const content = JSON.stringify(value)
    if (last.current.content !== content) last.current = { content, key: crypto.randomUUID() }
    return last.current.key
  }
}

export function UserForm(props: UserFormProps) {
  const { title, user, isSelf = false, action, failed, done, onSend, onClose } = props
  const id = useId()
  const [state, setState] = useState<'idle' | 'sending' | 'done'>('idle')
  const [problem, setProblem] = useState<{ text: string } | null>(null)
  const [stored, setStored] = useState(user)
  const [typed, setTyped] = useState<Values>(user ? valuesOf(user) : blank)
  const [passwords, setPasswords] = useState(noPasswords)
  const [isConflict, setIsConflict] = useState(false)
  const keyFor = useIdempotencyKey()
  const banner = useRef<HTMLParagraphElement>(null)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    form.current?.querySelector('input')?.focus()
  }, [])
  useEffect(() => {
    if (problem) banner.current?.focus()
  }, [problem])
  useEffect(() => {
    if (state !== 'done') return
    const timer = setTimeout(onClose, DONE_MS)
    return () => clearTimeout(timer)
  }, [state, onClose])

  const set = (change: Partial<Values>) => setTyped((values) => ({ ...values, ...change }))
  const setPassword = (change: Partial<Passwords>) =>
    setPasswords((values) => ({ ...values, ...change }))

  const send = async () => {
    const values = { ...typed, username: typed.username.trim(), email: typed.email.trim() }
    const wrong = problemOf(values, passwords, !user)
    if (wrong) return setProblem({ text: wrong })
    setProblem(null)
    setState('sending')
    const { password, mustChange: mustChangePassword } = passwords
    const changes = stored ? changesOf(stored, values) : values
    const content = { values, changes, password, mustChangePassword, version: stored?.version }
    try {
      await onSend({ ...content, idempotencyKey: keyFor(content) })
      setState('done')
    } catch (error) {
      setState('idle')
      const newer = storedIn(error)
      if (!newer || !stored) return setProblem({ text: sentenceOf(error, failed) })
      setTyped(rebase(stored, newer, values))
      setStored(newer)
      setIsConflict(true)
    }
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void send()
  }

  return (
    <section className={styles.editor} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {problem && (
        <p className={styles.problem} role="alert" tabIndex={-1} ref={banner}>
          {problem.text}
        </p>
      )}
      <p role="status" className={state === 'done' ? styles.success : 'vh'}>
        {state === 'done' && done}
      </p>
      <form ref={form} noValidate onSubmit={submit}>
        <div className="plan">
          <Field
            id={`${id}-username`}
            label="Username"
            third
            value={typed.username}
            onChange={(event) => set({ username: event.target.value })}
            maxLength={limits.username.max}
            autoComplete="off"
            spellCheck={false}
          />
          <Field
            id={`${id}-email`}
            label="Email"
            third
            type="email"
            value={typed.email}
            onChange={(event) => set({ email: event.target.value })}
            maxLength={limits.email}
            autoComplete="off"
          />
          <Field id={`${id}-role`} label="Role" third>
            {user ? (
              <select
                id={`${id}-role`}
                value={typed.role}
                onChange={(event) => set({ role: event.target.value as Role })}
              >
                {roles.map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </select>
            ) : (
              <output id={`${id}-role`}>{typed.role}</output>
            )}
          </Field>
          {isSelf ? (
            <p className="f">
              <Link className={buttons.link} to="/admin/account">
                Change your password on your account page
              </Link>
            </p>
          ) : (
            <PasswordFields id={id} isNew={!user} passwords={passwords} onChange={setPassword} />
          )}
        </div>
        <div className={styles.actions}>
          <Button
            type="submit"
            disabled={state === 'done'}
            busy={state === 'sending' && action.busy}
          >
            {action.idle}
          </Button>
          <Button look="line" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
      {isConflict && stored && (
        <Conflict
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
            void send()
          }}
          onClose={() => setIsConflict(false)}
        >
          <b>{stored.username}</b> was changed <When at={stored.updatedAt} /> by someone else.
          Nothing of yours is saved yet.
        </Conflict>
      )}
    </section>
  )
}

interface PasswordFieldsProps {
  id: string
  isNew: boolean
  passwords: Passwords
  onChange: (change: Partial<Passwords>) => void
}

function PasswordFields({ id, isNew, passwords, onChange }: PasswordFieldsProps) {
  return (
    <>
      <Field
        id={`${id}-password`}
        label={isNew ? 'Password' : 'New Password'}
        hint={`${isNew ? '' : 'Leave blank to keep the current one. '}At least ${limits.password.min} characters.`}
        half
        optional={!isNew}
        type="password"
        value={passwords.password}
        onChange={(event) => onChange({ password: event.target.value })}
        autoComplete="new-password"
      />
      <Field
        id={`${id}-confirmation`}
        label="Confirm Password"
        half
        optional={!isNew}
        type="password"
        value={passwords.confirmation}
        onChange={(event) => onChange({ confirmation: event.target.value })}
        autoComplete="new-password"
      />
      {(isNew || passwords.password) && (
        <div className="f ck">
          <input
            id={`${id}-must-change`}
            type="checkbox"
            checked={passwords.mustChange}
            onChange={(event) => onChange({ mustChange: event.target.checked })}
          />
          <label htmlFor={`${id}-must-change`}>Must be changed at the first sign-in</label>
        </div>
      )}
    </>
  )
}
