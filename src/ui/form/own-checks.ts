import type { FieldErrors } from '#contract/http/errors.ts'

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const isControl = (element: Element): element is Control => 'willValidate' in element

/** Spaces alone are no answer. */
const isMissing = ({ validity, required, type, value }: Control): boolean =>
  validity.valueMissing || (required && type !== 'password' && value.trim() === '')

const labelOf = (control: Control): string =>
  (control.type === 'radio'
    ? control.closest('fieldset')?.querySelector('legend')
    : control.labels?.[0]
  )?.textContent ??
  control.ariaLabel ??
  control.name

/** In the server's words where it has some, else in the browser's. */
const sentenceFor = (control: Control): string => {
  const { validity, type, validationMessage } = control
  if (isMissing(control) && type === 'checkbox') return 'Agree to the terms and the privacy policy.'
  const label = labelOf(control)
  if (isMissing(control)) return `${label} is missing.`
  if (validity.typeMismatch && type === 'email') return `${label} must look like name@example.com.`
  if (validity.typeMismatch)
    return `${label} must be a full web address that starts with https:// or http://.`
  return `${label}: ${validationMessage}`
}

/** All problems of a form that can be seen before it is sent, by the names of the controls. */
export const ownProblems = (form: HTMLFormElement): { fields: FieldErrors; missing: string[] } => {
  const wrong = [...form.elements]
    .filter(isControl)
    .filter((control) => control.willValidate && (!control.validity.valid || isMissing(control)))
  const nameOf = ({ name, id }: Control) => name || id
  return {
    fields: Object.fromEntries(wrong.map((control) => [nameOf(control), [sentenceFor(control)]])),
    missing: wrong.filter(isMissing).map(nameOf),
  }
}
