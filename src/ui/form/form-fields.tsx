import { useEffect, useState } from 'react'
import { errorId, Field, hintId, Problems } from '../field.tsx'
import { Icon } from '../icon.tsx'
import { out } from '../icons.ts'
import type { Choice, FieldDescription, FormDescription } from './description.ts'
import { lastDay, localDay } from './moment.ts'
import { trapName } from './read-fields.ts'

/** The id of a field's control; links in error summaries lead to it. */
export const fieldId = (kind: FormDescription['kind'], name: string) => `${kind}-${name}`

/** The id of the form itself, for fields that stand outside of it. */
export const formId = (kind: FormDescription['kind']) => `${kind}-form`

const httpUrl = (value: string): string | null => {
  const text = value.trim()
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}

interface DescribedProps {
  id: string
  field: FieldDescription
  errors: readonly string[] | undefined
}

const DescribedField = ({ id, field, errors }: DescribedProps) => {
  const { type = 'text', ...hints } = field
  const [typed, setTyped] = useState('')
  const days = useDays(type === 'date')
  const url = type === 'url' ? httpUrl(typed) : null
  const long = type === 'long'
  const full = long && fullness(typed.length, field.maxLength)

  return (
    <Field
      {...hints}
      {...days}
      id={id}
      long={long}
      errors={errors}
      // Text follows the direction of its script; e-mail addresses, URLs and numbers do not.
      {...(long || type === 'text' ? { dir: 'auto' } : {})}
      {...(long ? {} : { type, enterKeyHint: 'next' })}
      {...(full ? { 'aria-describedby': countId(id) } : {})}
      {...(long || type === 'url'
        ? { onInput: (event) => setTyped(event.currentTarget.value) }
        : {})}
      beside={
        <>
          {url && (
            <a className="open" href={url} target="_blank" rel="noopener noreferrer">
              Open<span className="visually-hidden"> {field.label.toLowerCase()} in a new tab</span>
              <Icon shape={out} />
            </a>
          )}
          {full && (
            <span className="optional count" id={countId(id)}>
              {full}
            </span>
          )}
        </>
      }
    />
  )
}

const countId = (id: string) => `${id}-count`

/** Shown from nine tenths of a text's limit on, because the browser cuts pasted text at the limit. */
const fullness = (length: number, max = Number.POSITIVE_INFINITY): string | undefined =>
  length < max * 0.9
    ? undefined
    : `${length.toLocaleString('en')} of ${max.toLocaleString('en')} characters`

/** The range of a date, from the visitor's today to two years ahead; empty on the server. */
const useDays = (isDate: boolean): { min?: string; max?: string } => {
  const [days, setDays] = useState({})
  useEffect(() => {
    if (isDate) setDays({ min: localDay(new Date()), max: lastDay(new Date()) })
  }, [isDate])
  return days
}

type Refusable = Pick<DescribedProps, 'id' | 'errors'>

const Consent = ({ id, errors = [] }: Refusable) => {
  const refused = errors.length > 0
  return (
    <div className="field checkbox">
      <input
        type="checkbox"
        id={id}
        name="agree"
        required
        autoComplete="off"
        aria-invalid={refused || undefined}
        aria-describedby={refused ? errorId(id) : undefined}
      />
      <div>
        <label htmlFor={id}>
          I agree to the <a href="/terms-conditions">Terms &amp; Conditions</a> and the{' '}
          <a href="/privacy-policy">Privacy Policy</a>
        </label>
        <Problems id={id} problems={errors} />
      </div>
    </div>
  )
}

/** A position may close while its form is open: then the summary leads here. */
const ChosenBox = ({ id, name, label, value, valueLabel, errors = [] }: Choice & Refusable) => (
  <div className="field read-only">
    <span className="label-row" id={id} tabIndex={-1}>
      {label}
    </span>
    <output aria-labelledby={id}>{valueLabel}</output>
    <input type="hidden" name={name} value={value} />
    <Problems id={id} problems={errors} />
  </div>
)

const ChoiceField = ({ id, name, label, hint, options = [], errors = [] }: Choice & Refusable) => (
  <Field id={id} label={label} hint={hint} errors={errors}>
    <select
      id={id}
      name={name}
      autoComplete="off"
      aria-invalid={errors.length > 0 || undefined}
      aria-describedby={errors.length > 0 ? `${hintId(id)} ${errorId(id)}` : hintId(id)}
    >
      {options.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  </Field>
)

/** A trap for robots: hidden, and neither in the tab order nor in the accessibility tree. */
const Trap = ({ id }: { id: string }) => (
  <div className="trap" aria-hidden="true">
    <label htmlFor={id}>Leave this empty</label>
    <input id={id} name={trapName} tabIndex={-1} autoComplete="off" />
  </div>
)

interface Props {
  description: FormDescription
  choice?: Choice | undefined
  /** The server's messages, by field name. */
  errors?: Readonly<Record<string, readonly string[]>>
}

/** The content of a form except its buttons. */
export const FormFields = ({ description, choice, errors }: Props) => {
  const { kind, fields, consent } = description
  const id = (name: string) => fieldId(kind, name)
  const ChoiceBox = choice?.value === undefined ? ChoiceField : ChosenBox
  return (
    <>
      <div className="form-grid">
        {choice && <ChoiceBox id={id(choice.name)} errors={errors?.[choice.name]} {...choice} />}
        {fields.map((field) => (
          <DescribedField
            key={field.name}
            id={id(field.name)}
            field={field}
            errors={errors?.[field.name]}
          />
        ))}
        {consent && <Consent id={id('agree')} errors={errors?.agree} />}
      </div>
      <Trap id={id(trapName)} />
    </>
  )
}
