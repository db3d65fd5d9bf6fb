import { use, useId } from 'react'
import { errorId, FieldProblems } from '#ui/field.tsx'
import { Choice } from '../components/choice.tsx'
import { FormError } from '../components/form.tsx'
import styles from './programs.module.css'

/** The check of a form whose list needs at least one tick. */
export const needsOne = (name: string, message: string) => (form: HTMLFormElement) =>
  !new FormData(form).has(name) && new FormError(message, { [name]: [`${message}.`] })

interface Props {
  legend: string
  name: string
  chosen: readonly string[]
  options: readonly { value: string; label: string; opens?: string }[]
}

/** Checkboxes under one name. The first one leads to the problem of all. */
export function CheckList({ legend, name, chosen, options }: Props) {
  const id = useId()
  const problems = use(FieldProblems)[id]
  return (
    <fieldset
      className={styles.checks}
      aria-describedby={problems && errorId(id)}
      data-invalid={problems && ''}
    >
      <legend>{legend}</legend>
      {problems && (
        <p className="bad" id={errorId(id)}>
          {problems.join(' ')}
        </p>
      )}
      <div className={options.length > 6 ? styles.columns : undefined}>
        {options.map(({ value, label, opens }, index) => (
          <Choice
            key={value}
            id={index === 0 ? id : undefined}
            name={name}
            value={value}
            label={label}
            says={opens}
            defaultChecked={chosen.includes(value)}
            aria-invalid={problems ? true : undefined}
          />
        ))}
      </div>
    </fieldset>
  )
}
