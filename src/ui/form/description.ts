import type { InputHTMLAttributes } from 'react'
import type { Route } from '#client/call.ts'
import type { applyForInternship } from '#contract/applications.ts'
import type { requestConsultation } from '#contract/consultations.ts'
import type { sendContact } from '#contract/contacts.ts'
import type { KindPath } from '#contract/inbox.ts'

/** The calls that visitors' forms make. */
type PublicForm = typeof sendContact | typeof requestConsultation | typeof applyForInternship

type Hints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'inputMode' | 'placeholder' | 'maxLength' | 'minLength' | 'min' | 'max'
>

/** One field. Its name is the API's; limits and hints are printed as attributes. */
export interface FieldDescription<Name extends string = string> extends Hints {
  name: Name
  label: string
  type?: 'text' | 'email' | 'tel' | 'url' | 'date' | 'number' | 'long'
  optional?: true
  half?: true
  hint?: string
  /** A longer remark in the box beside a half field. */
  note?: string
}

/** What was chosen before the form was opened: shown as a label, sent as a value. */
export interface Choice<Name extends string = string> {
  name: Name
  label: string
  value: string
  valueLabel: string
}

/** A form as data: the engine knows no form by name. `Name` are the fields of its kind. */
export interface FormDescription<Name extends string = string> {
  /** Names the form's elements, its draft and its thank-you page. */
  kind: KindPath
  /** Printed as the form's own `action`, and called by its script. */
  route: Route<PublicForm>
  /** What assistive technology calls the form. */
  name: string
  fields: readonly FieldDescription<Name>[]
  /** Asks for agreement to the terms and the privacy policy. */
  consent: boolean
  submit: string
  sending: string
  /** Said when a failure came without words of its own. */
  failed: string
  /** Where failures stand. */
  failures: 'above' | 'below'
  sent: {
    heading: string
    text: string
    /** Hours within which an answer is promised. */
    promiseHours?: number
    back?: { href: string; label: string }
    /** The page scrolls to its top. */
    toTop: boolean
  }
  /** A way out that stands beside the button. */
  away?: { href: string; label: string }
  /** A short remark beside the button. */
  remark?: string
}
