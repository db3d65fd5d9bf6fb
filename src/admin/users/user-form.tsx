import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { type Role, roles } from '#contract/access.ts'
import { limits } from '#contract/limits.ts'
import type { User } from '#contract/users.ts'
import buttons from '../components/button.module.css'
import fields from '../components/field.module.css'
import { sentenceOf } from '../shell/session.ts'
import styles from './users.module.css'

export interface Wanted {
  username: string
  email: string
  /** Absent: the current one stays. */
  password?: string
  role: Role
}

interface UserFormProps {
  title: string
  /** The account to edit; a new one without. */
  user?: User
  action: { idle: string; busy: string }
  failed: string
  done: string
  onSend: (wanted: Wanted) => Promise<void>
  onClose: () => void
}

/** How long the words of success stand before the form closes. */
const DONE_MS = 2_000

const fresh: Role = 'admin'

/** What is missing or does not agree, in the screen's own words; null when the form may be sent. */
const faultOf = (form: FormData, isNew: boolean): string | null => {
  const text = (name: string) => String(form.get(name) ?? '')
  const isMissing = !text('username').trim() || !text('email').trim()
  if (isMissing || (isNew && !text('password'))) return 'Please fill in all required fields'
  return text('password') === text('confirmation') ? null : 'Passwords do not match'
}

export function UserForm({ title, user, action, failed, done, onSend, onClose }: UserFormProps) {
  const id = useId()
  const [state, setState] = useState<'idle' | 'sending' | 'done'>('idle')
  const [fault, setFault] = useState<{ text: string } | null>(null)
  const banner = useRef<HTMLParagraphElement>(null)
  const first = useRef<HTMLInputElement>(null)

  useEffect(() => {
    first.current?.focus()
  }, [])
  useEffect(() => {
    if (fault) banner.current?.focus()
  }, [fault])
  useEffect(() => {
    if (state !== 'done') return
    const timer = setTimeout(onClose, DONE_MS)
    return () => clearTimeout(timer)
  }, [state, onClose])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const wrong = faultOf(form, !user)
    if (wrong) return setFault({ text: wrong })
    setFault(null)
    setState('sending')
    const password = String(form.get('password'))
    try {
      await onSend({
        username: String(form.get('username')).trim(),
        email: String(form.get('email')).trim(),
        role: (form.get('role') as Role | null) ?? fresh,
        ...(password ? { password } : {}),
      })
      setState('done')
    } catch (error) {
      setState('idle')
      setFault({ text: sentenceOf(error, failed) })
    }
  }

  return (
    <section className={styles.editor} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {fault && (
        <p className={styles.fault} role="alert" tabIndex={-1} ref={banner}>
          {fault.text}
        </p>
      )}
      <p role="status" className={state === 'done' ? styles.success : 'vh'}>
        {state === 'done' && done}
      </p>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className={fields.plan}>
          <div className={`${fields.field} ${fields.third}`}>
            <label htmlFor={`${id}-username`}>Username</label>
            <input
              ref={first}
              id={`${id}-username`}
              name="username"
              defaultValue={user?.username}
              maxLength={limits.username.max}
              autoComplete="off"
              spellCheck={false}
              required
            />
          </div>
          <div className={`${fields.field} ${fields.third}`}>
            <label htmlFor={`${id}-email`}>Email</label>
            <input
              id={`${id}-email`}
              name="email"
              type="email"
              defaultValue={user?.email}
              maxLength={limits.email}
              autoComplete="off"
              required
            />
          </div>
          <div className={`${fields.field} ${fields.third}`}>
            <label htmlFor={`${id}-role`}>Role</label>
            {user ? (
              <select id={`${id}-role`} name="role" defaultValue={user.role}>
                {roles.map((role) => (
                  <option key={role}>{role}</option>
                ))}
              </select>
            ) : (
              <output id={`${id}-role`}>{fresh}</output>
            )}
          </div>
          <div className={`${fields.field} ${fields.half}`}>
            <label htmlFor={`${id}-password`}>{user ? 'New Password' : 'Password'}</label>
            <input
              id={`${id}-password`}
              name="password"
              type="password"
              autoComplete="new-password"
              aria-describedby={`${id}-hint`}
              required={!user}
            />
            <p className={fields.hint} id={`${id}-hint`}>
              {user && 'Leave blank to keep the current one. '}At least {limits.password.min}{' '}
              characters.
            </p>
          </div>
          <div className={`${fields.field} ${fields.half}`}>
            <label htmlFor={`${id}-confirmation`}>Confirm Password</label>
            <input
              id={`${id}-confirmation`}
              name="confirmation"
              type="password"
              autoComplete="new-password"
              required={!user}
            />
          </div>
        </div>
        <div className={styles.actions}>
          <button type="submit" className={buttons.solid} disabled={state !== 'idle'}>
            {state === 'sending' ? action.busy : action.idle}
          </button>
          <button type="button" className={buttons.outlined} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </section>
  )
}
