import { nestedPlan, planFieldName, planFields } from '#contract/plan.ts'
import type { FormDescription } from './description.ts'

/** The hidden field that only robots fill. */
export const trapName = 'website'

/**
 * A form's values by name: empty optional fields left out, numbers as numbers, consent as `true`, a plan
 * as one object. A trap that the browser has autofilled counts as empty.
 */
export const readFields = (
  form: HTMLFormElement,
  { fields }: FormDescription,
): Record<string, unknown> => {
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
  const plan = nestedPlan(values)
  if (!plan) return values
  for (const name of planFields) delete values[planFieldName(name)]
  return { ...values, plan }
}

type TextControl = HTMLInputElement | HTMLTextAreaElement

const textControls = (form: HTMLFormElement, { fields }: FormDescription): TextControl[] =>
  fields.flatMap(({ name }) => {
    const control = form.elements.namedItem(name)
    return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
      ? [control]
      : []
  })

/** What was typed, for the draft: without consent, the trap and the choice from the URL. */
export const readDraft = (
  form: HTMLFormElement,
  description: FormDescription,
): Record<string, string> =>
  Object.fromEntries(
    textControls(form, description).flatMap(({ name, value }) =>
      value === '' ? [] : [[name, value]],
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
  for (const control of textControls(form, description)) {
    const value = values[control.name]
    if (control.value === '' && value) {
      control.value = value
      restored = true
    }
    if (control.value !== '') control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return restored
}
