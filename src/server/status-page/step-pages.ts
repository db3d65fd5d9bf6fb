import { type Fields, fieldText } from '#server/kinds/kind.ts'
import type { Changes } from '#server/pages/fill.ts'
import { keptText } from './standing.ts'
import type { Found } from './store/find.ts'

/** Fills the second screens: correct, withdraw, export, erase. */

export const screens = ['correct', 'withdraw', 'export', 'erase'] as const
export type Screen = (typeof screens)[number]

/** A refused form: its message, those of its fields, and what was typed. */
export interface Problem {
  message: string
  fields: Readonly<Record<string, string>>
  typed: Readonly<Record<string, string>>
}

interface Step {
  found: Found
  token: string
  timeZone: string
  problem: Problem | undefined
  /** Whether a code was asked for just now, so that the page leads to its field. */
  isCodeSent: boolean
}

const common = ({ token, problem }: Step): Changes => ({
  '.crumb a': { attributes: { href: `/status/${token}` } },
  ...(problem && Object.keys(problem.fields).length === 0
    ? { '#problem .what': problem.message }
    : { '#problem': null }),
})

const post = (token: string, call: string): { attributes: { action: string } } => ({
  attributes: { action: `/api/status/${token}/${call}` },
})

const back = (token: string): { attributes: { href: string } } => ({
  attributes: { href: `/status/${token}` },
})

/** The page is drawn with every field refused. */
const fieldChanges = (id: string, error: string | undefined, value?: string): Changes => ({
  [`#${id}`]: {
    ...(value === undefined ? {} : { value }),
    attributes: { 'aria-invalid': error === undefined ? null : 'true' },
  },
  ...(error === undefined ? { [`#${id}-error`]: null } : { [`#${id}-error span`]: error }),
})

const correctChanges = (step: Step): Changes => {
  const { found, token, problem } = step
  const { kind } = found
  const fixed = ['email', 'service', 'position', 'plan']
  const names = kind.fields.filter((name) => !fixed.includes(name))
  const values: Fields = { ...found.fields, ...problem?.typed }
  return Object.assign(
    {
      ...common(step),
      '#form': post(token, 'correct'),
      '.back': back(token),
    },
    ...names.map((name) =>
      fieldChanges(`${kind.path}-${name}`, problem?.fields[name], fieldText(values[name])),
    ),
  )
}

const withdrawChanges = (step: Step): Changes => ({
  ...common(step),
  '#kept': keptText(step.found, step.timeZone),
  '#form': post(step.token, 'withdraw'),
  '.back': back(step.token),
  ...fieldChanges('confirm', step.problem?.fields.confirm),
})

/** "o•••@bakery.example". */
const masked = (email: string): string => email.replace(/^(.).*(@[^@]*)$/, '$1•••$2')

const codeChanges = (step: Step, call: 'export' | 'erase'): Changes => {
  const { found, token, problem, isCodeSent } = step
  const to = masked(fieldText(found.fields.email))
  const isSecond = isCodeSent || problem?.fields.code !== undefined
  return {
    ...common(step),
    '#step-2 .back': back(token),
    '.masked-2': to,
    '#with-code': post(token, call),
    ...fieldChanges('code', problem?.fields.code),
    ...(isSecond
      ? { '#step-1': null, '#send-again': post(token, 'code') }
      : { '.masked': to, '.send-code': post(token, 'code'), '#send-again': null }),
  }
}

export const stepChanges = (screen: Screen, step: Step): Changes => {
  if (screen === 'correct') return correctChanges(step)
  if (screen === 'withdraw') return withdrawChanges(step)
  return codeChanges(step, screen)
}
