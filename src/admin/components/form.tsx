import { type ComponentProps, type KeyboardEvent, type SubmitEvent, useEffect, useRef } from 'react'
import { Field } from '#ui/field.tsx'
import { sentenceOf } from '../session/session.ts'
import { Button, Cancel } from './button.tsx'
import failure from './load-failed.module.css'
import panel from './panel.module.css'

/** A problem that has to be corrected before a form can be sent, with the fields that it is about. */
export class FormError extends Error {
  override name = 'FormError'
  readonly fields: Readonly<Record<string, readonly string[]>>

  constructor(message: string, fields: FormError['fields'] = {}) {
    super(message)
    this.fields = fields
  }
}

export const missingFields = 'Please fill in all required fields'

export const valueIn = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '')

export const textIn = (form: HTMLFormElement, name: string): string => valueIn(form, name).trim()

/** The check of a form whose new password is typed twice. */
export const differing = (password: string, confirmation: string) => (form: HTMLFormElement) =>
  valueIn(form, password) !== valueIn(form, confirmation) &&
  new FormError('Passwords do not match', { [confirmation]: ['This is not the same password.'] })

/** A ref whose element takes the focus at each new value, unless that is null or false. */
export const useFocusAt = <Part extends HTMLElement>(value: unknown) => {
  const part = useRef<Part>(null)
  useEffect(() => {
    if (value) part.current?.focus()
  }, [value])
  return part
}

/** The ref of a form that opens: its first field takes the focus. */
export const focusFirst = (form: HTMLFormElement | null): void =>
  form?.querySelector('input')?.focus()

export const submitTo =
  (send: (form: HTMLFormElement) => void) => (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    send(event.currentTarget)
  }

/** The name that staff give to something of theirs; a browser has none to suggest. */
export const NameField = (props: Omit<ComponentProps<typeof Field>, 'name' | 'label'>) => (
  <Field name="name" label="Name" autoComplete="off" {...props} />
)

/** Sends the form by Ctrl or ⌘ with Enter. */
export const sendByKey = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.closest('form')?.requestSubmit()
}

interface SubmitOrCancelProps extends ComponentProps<typeof Button> {
  onCancel: (() => void) | null
}

/** The end of a form: the button that sends it, and the way out. */
export const SubmitOrCancel = ({ onCancel, ...submit }: SubmitOrCancelProps) => (
  <div className={panel.actions}>
    <Button type="submit" {...submit} />
    <Cancel onClick={onCancel} />
  </div>
)

interface ProblemProps {
  /** A new one for each refusal, so that the same message takes focus again. */
  error: Error | null
  /** The sentence for a failure without a message. */
  failed: string
}

/** The reason for a refusal, in focus. */
export function Problem({ error, failed }: ProblemProps) {
  const paragraph = useFocusAt<HTMLParagraphElement>(error)
  if (!error) return null
  return (
    <p className={failure.box} role="alert" tabIndex={-1} ref={paragraph}>
      {error instanceof FormError ? error.message : sentenceOf(error, failed)}
    </p>
  )
}

type Option = string | readonly [value: string | number, label: string]

/** Options of a select: values that are their own labels, or each with a label. */
export const Options = ({ values }: { values: readonly Option[] }) =>
  values.map((one) => {
    const [value, label] = typeof one === 'string' ? [one, one] : one
    return (
      <option key={value} value={value}>
        {label}
      </option>
    )
  })
