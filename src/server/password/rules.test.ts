import { expect, test } from 'vitest'
import commonPasswords from './common-passwords.json' with { type: 'json' }
import { passwordProblem } from './rules.ts'

const problem = (password: string, owner: { username?: string; email?: string } = {}) =>
  passwordProblem({ username: 'grace', email: 'hopper@staff.test', ...owner, password })

test('twelve characters are enough, eleven are not, whatever they are made of', () => {
  expect(problem('eleven char')).toMatch(/at least 12 characters/)
  expect(problem('twelve chars')).toBeUndefined()
  expect(problem('🐦🦅🦉🐧🦆🦢🦩🐓🦃🐤🪿')).toMatch(/at least 12 characters/)
  expect(problem('🐦🦅🦉🐧🦆🦢🦩🐓🦃🐤🪿🦤')).toBeUndefined()
})

test('256 bytes fit, 257 do not', () => {
  const letters = 'abcdefgh'.repeat(31)
  expect(problem(`${letters}zyxwvuts`)).toBeUndefined()
  expect(problem(`${letters}zyxwvutsr`)).toMatch(/256 bytes/)
  expect(problem(`${letters}zyxwvué`)).toBeUndefined()
  expect(problem(`${letters}zyxwvuté`)).toMatch(/256 bytes/)
})

test('the list holds 3,000 common passwords and more', () => {
  expect(new Set(commonPasswords).size).toBeGreaterThan(3_000)
})

test('a common password is refused, also repeated or with a short tail, in any case', () => {
  for (const password of [
    'password1234',
    'Password123!',
    'PASSWORD!!!!',
    'passwordpassword',
    'qwerty123456',
    'QwertyQwerty',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc',
    '123456789012',
    'aaaaaaaaaaaa',
    'abababababab',
    'administrator',
    'letmeinletmein',
  ])
    expect(problem(password), password).toMatch(/too common/)
})

test('username, the e-mail’s name and the brand are not allowed in it, from 3 characters on', () => {
  for (const [password, owner] of [
    ['amazing GRACE notes', {}],
    ['the Hopper of grass', {}],
    ['a FleDge in the sky', {}],
    ['my zoë is the best', { username: 'ZOË' }],
    ['my zoe\u0308 is the best', { username: 'zoë' }],
    ['plus+tag is in here', { email: 'plus+tag@staff.test' }],
  ] as const)
    expect(problem(password, owner), password).toMatch(/must not contain/)
  expect(problem('albatrosses are ok', { username: 'ok', email: 'al@staff.test' })).toBeUndefined()
  expect(problem('staff.test is a host')).toBeUndefined()
})
