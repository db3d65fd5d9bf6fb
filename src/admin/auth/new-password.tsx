import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { differing } from '../components/form.tsx'

/** A new password and its repetition, under the names `password` and `confirmation`. */
export function NewPassword({ label }: { label: string }) {
  return (
    <>
      <Field
        name="password"
        label={label}
        hint={`At least ${limits.password.min} characters.`}
        type="password"
        autoComplete="new-password"
      />
      <Field
        name="confirmation"
        label="Confirm password"
        type="password"
        autoComplete="new-password"
      />
    </>
  )
}

export const passwordsDiffer = differing('password', 'confirmation')
