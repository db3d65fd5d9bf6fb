import type { InputHTMLAttributes } from 'react'
import type { Route } from '#client/call.ts'
import type { applyForInternship } from '#contract/applications.ts'
import type { requestConsultation } from '#contract/consultations.ts'
import type { sendContact } from '#contract/contacts.ts'
import type { KindPath } from '#contract/inbox.ts'

type PublicForm = typeof sendContact | typeof requestConsultation | typeof applyForInternship

type Hints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'inputMode' | 'placeholder' | 'maxLength' | 'minLength' | 'min' | 'max'
>

/** One field. Its name is the API's; limits and hints become attributes. */
export interface FieldDescription<Name extends string = string> extends Hints {
  name: Name
  label: string
  type?: 'text' | 'email' | 'tel' | 'url' | 'date' | 'number' | 'long'
  optional?: true
  half?: true
  hint?: string
}

/** A choice: made before the form was opened, or asked for in it. The first option is for people who do not know. */
export interface Choice<Name extends string = string> {
  name: Name
  label: string
  /** Made before: it is sent, and its label is shown. */
  value?: string | undefined
  valueLabel?: string | undefined
  hint?: string
  options?: readonly { value: string; label: string }[]
}

/** A form as data: no code depends on a single form. `Name` are the fields of its kind. */
export interface FormDescription<Name extends string = string> {
  /** Used in element ids, the draft's key and the URL of the thank-you page. */
  kind: KindPath
  /** The form's `action`; also called by its script. */
  route: Route<PublicForm>
  /** The form's accessible name. */
  name: string
  fields: readonly FieldDescription<Name>[]
  /** Asks for agreement to the terms and the privacy policy. */
  consent: boolean
  submit: string
  sending: string
  /** The message of a failure that has none of its own. */
  failed: string
  /** The place of failure messages. */
  failures: 'above' | 'below'
  sent: {
    heading: string
    /** Replaces the title of a page about the form, which scrolls to its top. */
    title?: string
    text: string
    /** Hours within which an answer is promised. */
    promiseHours?: number
    back?: { href: string; label: string }
  }
  /** A link away from the form, beside the button. */
  away?: { href: string; label: string }
  /** A short note beside the button. */
  remark?: string
}
