import { limits } from '#contract/limits.ts'
import type { FieldDescription } from './description.ts'

/** Fields about the sender, the same in every form that asks for them. */

export const nameField = {
  name: 'name',
  label: 'Name',
  autoComplete: 'name',
  maxLength: limits.name,
  half: true,
} as const satisfies FieldDescription

export const emailField = {
  name: 'email',
  label: 'Email',
  type: 'email',
  autoComplete: 'email',
  inputMode: 'email',
  maxLength: limits.email,
  half: true,
} as const satisfies FieldDescription

export const phoneField = {
  name: 'phone',
  label: 'Phone',
  type: 'tel',
  autoComplete: 'tel',
  inputMode: 'tel',
  placeholder: '(123) 456-7890',
  minLength: limits.phone.min,
  maxLength: limits.phone.max,
  half: true,
} as const satisfies FieldDescription
