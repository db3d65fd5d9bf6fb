import { expect, test } from 'vitest'
import commonPasswords from './common-passwords.json' with { type: 'json' }
import { passwordFault } from './rules.ts'

const fault = (password: string, owner: { username?: string; email?: string } = {}) =>
  passwordFault({ username: 'grace', email: 'hopper@staff.test', ...owner, password })

test('twelve characters are enough, eleven are not, whatever they are made of', () => {
  expect(fault('eleven char')).toMatch(/at least 12 characters/)
  expect(fault('twelve chars')).toBeUndefined()
  expect(fault('🐦🦅🦉🐧🦆🦢🦩🐓🦃🐤🪿')).toMatch(/at least 12 characters/)
  expect(fault('🐦🦅🦉🐧🦆🦢🦩🐓🦃🐤🪿🦤')).toBeUndefined()
})

test('256 bytes fit, 257 do not', () => {
  const letters = 'abcdefgh'.repeat(31)
  expect(fault(`${letters}zyxwvuts`)).toBeUndefined()
  expect(fault(`${letters}zyxwvutsr`)).toMatch(/256 bytes/)
  expect(fault(`${letters}zyxwvué`)).toBeUndefined()
  expect(fault(`${letters}zyxwvuté`)).toMatch(/256 bytes/)
})

test('the list holds 3,000 of the commonest passwords and more', () => {
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
    expect(fault(password), password).toMatch(/commonest/)
})

test('username, the e-mail’s name and the brand may not be part of it, from 3 characters on', () => {
  for (const [password, owner] of [
    ['amazing GRACE notes', {}],
    ['the Hopper of grass', {}],
    ['a FleDge in the sky', {}],
    ['my zoë is the best', { username: 'ZOË' }],
    ['my zoe\u0308 is the best', { username: 'zoë' }],
    ['plus+tag is in here', { email: 'plus+tag@staff.test' }],
  ] as const)
    expect(fault(password, owner), password).toMatch(/may not hold/)
  expect(fault('albatrosses are ok', { username: 'ok', email: 'al@staff.test' })).toBeUndefined()
  expect(fault('staff.test is a host')).toBeUndefined()
})
