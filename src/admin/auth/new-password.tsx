import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'

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

/** The message about passwords that are missing or differ; null when they may be sent. */
export const passwordsProblem = (form: FormData): string | null => {
  const password = form.get('password')
  if (!password) return 'Please fill in all required fields'
  return password === form.get('confirmation') ? null : 'Passwords do not match'
}
