import '#styles/form.css'
import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
  use,
  useId,
} from 'react'
import { Icon } from './icon.tsx'
import { warn } from './icons.ts'

type Control = Omit<
  InputHTMLAttributes<HTMLInputElement> & TextareaHTMLAttributes<HTMLTextAreaElement>,
  'onInput' | 'onChange' | 'children' | 'id' | 'name'
>

interface Props extends Control {
  /** The element's id, where something else names it. */
  id?: string | undefined
  name?: string
  label: string
  /** Help between label and control. */
  hint?: string | undefined
  /** The server's messages about this field. */
  errors?: readonly string[] | undefined
  /** The field may stay empty and is marked as optional. */
  optional?: boolean | undefined
  /** Half or a third of the form's width from 768 px up. */
  half?: boolean | undefined
  third?: boolean | undefined
  /** A text of several lines. */
  long?: boolean | undefined
  onInput?: (event: React.InputEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  onChange?: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  /** Shown beside the control, such as a link made from its value. */
  beside?: ReactNode
  /** Another control with the field's id: a `select`, an `output`. */
  children?: ReactNode
}

/** The problems of a form's controls, by element id, for fields that are not given their own. */
export const FieldProblems = createContext<Readonly<Record<string, readonly string[]>>>({})

/** Element ids that connect a control with its descriptions. */
export const errorId = (id: string) => `${id}-error`
export const hintId = (id: string) => `${id}-hint`
const optionalId = (id: string) => `${id}-optional`

/** A form field in its box: label, help, control and error message. */
export const Field = ({
  id: given,
  label,
  hint,
  errors,
  optional = false,
  half = false,
  third = false,
  long = false,
  beside,
  children,
  'aria-describedby': describedBy,
  ...control
}: Props) => {
  const own = useId()
  const id = given ?? own
  const known = use(FieldProblems)
  const problems = errors ?? known[id] ?? []
  const refused = problems.length > 0
  const described = [
    optional && optionalId(id),
    hint && hintId(id),
    describedBy,
    refused && errorId(id),
  ].filter(Boolean)
  const Control = long ? 'textarea' : 'input'

  return (
    <div className={`field${half ? ' half' : ''}${third ? ' third' : ''}`}>
      <div className="label-row">
        <label htmlFor={id}>{label}</label>{' '}
        {optional && (
          <span className="optional" id={optionalId(id)}>
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
      <Problems id={id} problems={problems} />
    </div>
  )
}

/** The problems of a control, which names them by `errorId`. */
export const Problems = ({
  id,
  problems = [],
}: {
  id: string
  problems?: readonly string[] | undefined
}) =>
  problems.length > 0 && (
    <p className="err" id={errorId(id)}>
      <Icon shape={warn} />
      <span>{problems.join(' ')}</span>
    </p>
  )
