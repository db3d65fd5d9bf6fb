import type { FieldErrors } from '#contract/http/errors.ts'
import type { FormDescription } from './description.ts'
import type { Failure } from './submission.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isControl = (element: Element): element is Control => 'willValidate' in element

/** In the server's words where it has some, else in the browser's. */
const sentenceFor = ({ validity, type, validationMessage }: Control, label: string): string => {
  if (validity.valueMissing && type !== 'checkbox') return `${label} is missing.`
  if (validity.valueMissing) return 'Agree to the terms and the privacy policy.'
  if (validity.typeMismatch && type === 'email') return `${label} must look like name@example.com.`
  if (validity.typeMismatch)
    return `${label} must be a full web address that starts with https:// or http://.`
  return `${label}: ${validationMessage}`
}

/** All problems of a form that can be seen before it is sent; null without any. */
export const ownProblems = (form: HTMLFormElement, { fields }: FormDescription): Failure | null => {
  const found: FieldErrors = Object.fromEntries(
    [...form.elements]
      .filter(isControl)
      .filter(({ name, willValidate, validity }) => name && willValidate && !validity.valid)
      .map((control) => {
        const label = fields.find(({ name }) => name === control.name)?.label ?? control.name
        return [control.name, [sentenceFor(control, label)]]
      }),
  )
  const [first] = Object.values(found)
  return first ? { message: first[0] ?? '', detail: '', fields: found } : null
}
