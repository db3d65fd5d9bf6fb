import type { FormDescription } from './description.ts'
import { type Control, isControl } from './own-checks.ts'

/** The hidden field that only robots fill. */
export const trapName = 'website'

/**
 * A form's values by name: empty optional fields left out, numbers as numbers, consent as `true`, a plan
 * as one object. A trap that the browser has autofilled counts as empty.
 */
export const readFields = (form: HTMLFormElement, { fields }: FormDescription) => {
  const numbers = new Set(fields.filter(({ type }) => type === 'number').map(({ name }) => name))
  const trap = form.elements.namedItem(trapName)
  const trapFilledByBrowser = trap instanceof HTMLInputElement && trap.matches(':autofill')

  const values: Record<string, unknown> = Object.fromEntries(
    [...new FormData(form)]
      .filter(([name, value]) => {
        const blank = typeof value !== 'string' || value.trim() === ''
        return !blank && !(name === trapName && trapFilledByBrowser)
      })
      .map(([name, value]): [string, unknown] => {
        if (name === 'agree') return [name, true]
        return [name, numbers.has(name) ? Number(value) : value]
      }),
  )
  return nested(values)
}

/** `plan_goal` is the `goal` of `plan`. */
const nested = (values: Record<string, unknown>): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const [outer = '', inner] = name.split('_')
    fields[outer] = inner ? { ...Object(fields[outer]), [inner]: value } : value
  }
  return fields
}

/** The fields of the description, and a choice that the form itself asks for. */
const controls = (form: HTMLFormElement, { fields }: FormDescription): Control[] =>
  [...form.elements]
    .filter(isControl)
    .filter(({ name, type }) => type === 'select-one' || fields.some((one) => one.name === name))

/** A choice that the form asks for stands on its first option until somebody chooses. */
const isEmpty = (control: Control): boolean =>
  control instanceof HTMLSelectElement ? control.selectedIndex < 1 : control.value === ''

/** The typed values for the draft: without consent, the trap and the choice from the URL. */
export const readDraft = (form: HTMLFormElement, description: FormDescription) =>
  Object.fromEntries(
    controls(form, description).flatMap((control) =>
      isEmpty(control) ? [] : [[control.name, control.value]],
    ),
  )

/**
 * Restores a draft into fields that are still empty; returns whether it did. Dispatches an input event
 * for each field with a value, including those typed into before the script ran.
 */
export const restoreDraft = (
  form: HTMLFormElement,
  description: FormDescription,
  values: Record<string, string>,
): boolean => {
  let restored = false
  for (const control of controls(form, description)) {
    const value = values[control.name]
    if (isEmpty(control) && value) {
      control.value = value
      // A choice that is offered no more is asked for again.
      if (control instanceof HTMLSelectElement && isEmpty(control)) control.selectedIndex = 0
      restored ||= !isEmpty(control)
    }
    if (!isEmpty(control)) control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return restored
}
