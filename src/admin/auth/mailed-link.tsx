import { useEffect, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { Field } from '#ui/field.tsx'
import { differing } from '../components/form.tsx'
import { navigate, useLocation } from '../router/location.ts'

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

/** The secret in the fragment of a mailed link; it leaves the address bar and the history once it is read. */
export const useLinkToken = (): string => {
  const hash = useLocation((location) => location.hash)
  const [token, setToken] = useState(hash)
  useEffect(() => {
    if (!hash) return
    setToken(hash)
    void navigate(location.pathname, { replace: true })
  }, [hash])
  return token
}
