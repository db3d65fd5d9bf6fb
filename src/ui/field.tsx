import '#styles/plan.css'
import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from 'react'
import { Icon } from './icon.tsx'
import { warn } from './icons.ts'

type Control = Omit<
  InputHTMLAttributes<HTMLInputElement> & TextareaHTMLAttributes<HTMLTextAreaElement>,
  'onInput' | 'onChange' | 'children' | 'id' | 'name'
>

interface Props extends Control {
  id: string
  name?: string
  label: string
  /** Help that stands between label and control. */
  hint?: string | undefined
  /** What the server refused, in its own sentences. */
  errors?: readonly string[] | undefined
  /** The field may stay empty, and says so. */
  optional?: boolean | undefined
  /** Half or a third of the form's width from 768 px up. */
  half?: boolean | undefined
  third?: boolean | undefined
  /** A text of several lines. */
  long?: boolean | undefined
  onInput?: (event: React.InputEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  onChange?: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  /** Stands beside the control, such as a link that its value makes. */
  beside?: ReactNode
  /** A control of another kind, with the field's id: a list to choose from, an output. */
  children?: ReactNode
}

/** Element ids that tie a control to the words about it. */
export const errorId = (id: string) => `${id}-error`
const hintId = (id: string) => `${id}-hint`
const optionalId = (id: string) => `${id}-optional`

/** A labelled box of a form: label, help, control, and what was wrong with it. */
export const Field = ({
  id,
  label,
  hint,
  errors = [],
  optional = false,
  half = false,
  third = false,
  long = false,
  beside,
  children,
  'aria-describedby': describedBy,
  ...control
}: Props) => {
  const refused = errors.length > 0
  const described = [
    optional && optionalId(id),
    hint && hintId(id),
    describedBy,
    refused && errorId(id),
  ].filter(Boolean)
  const Control = long ? 'textarea' : 'input'

  return (
    <div className={`f${half ? ' h' : ''}${third ? ' t' : ''}`}>
      <div className="lb">
        <label htmlFor={id}>{label}</label>{' '}
        {optional && (
          <span className="opt" id={optionalId(id)}>
            optional
          </span>
        )}
      </div>
      {hint && (
        <p className="hint" id={hintId(id)}>
          {hint}
        </p>
      )}
      <div className="val">
        {children ?? (
          <Control
            {...control}
            id={id}
            required={!optional}
            aria-invalid={refused || undefined}
            aria-describedby={described.join(' ') || undefined}
          />
        )}
        {beside}
      </div>
      {refused && (
        <p className="err" id={errorId(id)}>
          <Icon shape={warn} />
          <span>{errors.join(' ')}</span>
        </p>
      )}
    </div>
  )
}
