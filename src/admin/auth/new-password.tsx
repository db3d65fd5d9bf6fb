import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { FormError, missingFields } from '../components/form.tsx'

/** A new password and its repetition, under the names `password` and `confirmation`. */
export function NewPassword({ id, label }: { id: string; label: string }) {
  return (
    <>
      <Field
        id={`${id}-password`}
        name="password"
        label={label}
        hint={`At least ${limits.password.min} characters.`}
        type="password"
        autoComplete="new-password"
      />
      <Field
        id={`${id}-confirmation`}
        name="confirmation"
        label="Confirm password"
        type="password"
        autoComplete="new-password"
      />
    </>
  )
}

/** @throws {FormError} when the passwords are missing or differ */
export const newPasswordIn = (form: HTMLFormElement): string => {
  const typed = new FormData(form)
  const password = String(typed.get('password') ?? '')
  if (!password) throw new FormError(missingFields)
  if (password !== typed.get('confirmation')) throw new FormError('Passwords do not match')
  return password
}
