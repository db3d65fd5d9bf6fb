import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { brand } from '#site/content.ts'
import commonPasswords from './common-passwords.json' with { type: 'json' }
import knownPasswords from './known-passwords.json' with { type: 'json' }
import { passwordProblem, passwordRules } from './rules.ts'

const rules = await passwordRules()

const problem = (password: string, owner: { username?: string; email?: string } = {}) =>
  rules({ username: 'grace', email: 'hopper@staff.test', ...owner, password })

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
  expect(problem('x'.repeat(256))).toBeUndefined()
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
    [`a ${brand().name.toUpperCase()} in the sky`, {}],
    ['my zoë is the best', { username: 'ZOË' }],
    ['my zoe\u0308 is the best', { username: 'zoë' }],
    ['plus+tag is in here', { email: 'plus+tag@staff.test' }],
  ] as const)
    expect(problem(password, owner), password).toMatch(/must not contain/)
  expect(problem('albatrosses are ok', { username: 'ok', email: 'al@staff.test' })).toBeUndefined()
  expect(problem('staff.test is a host')).toBeUndefined()
})

test('known passwords of 12 characters and more are refused, hardly any other is', () => {
  expect(knownPasswords.count).toBeGreaterThan(10_000)
  for (const password of ['ILoveYou1234', 'chocolate123', 'ManchesterUnited', '2222333344445555'])
    expect(problem(password), password).toMatch(/too common/)
  const others = Array.from({ length: 20_000 }, (_, n) =>
    createHash('sha256').update(`${n}`).digest('base64url').slice(0, 20),
  )
  const refused = others.filter((password) => problem(password) !== undefined)
  expect(refused.length).toBeLessThan(10)
})

/** A range service that knows one password, or does what it is told. */
const rangeService = async (answer: (prefix: string) => string | null): Promise<string> => {
  const server = createServer((request, response) => {
    const text = answer(request.url?.slice('/range/'.length) ?? '')
    if (text === null) request.socket.destroy()
    else response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`
}

test('a range service is told five digits of the hash, and nobody waits for one that fails', async () => {
  const password = 'nine wandering albatrosses'
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const asked: string[] = []
  const knowing = await rangeService((prefix) => {
    asked.push(prefix)
    return `${'0'.repeat(35)}:3\r\n${hash.slice(5)}:7\r\n`
  })
  const choice = { username: 'grace', email: 'hopper@staff.test', password }
  expect(await passwordProblem({ breachedPasswordsUrl: knowing }, choice)).toMatch(/breach/)
  expect(asked).toEqual([hash.slice(0, 5)])
  const padding = await rangeService(() => `${hash.slice(5)}:0`)
  const failing = await rangeService(() => null)
  for (const breachedPasswordsUrl of [padding, failing, undefined])
    expect(await passwordProblem({ breachedPasswordsUrl }, choice)).toBeUndefined()
})
