import { expect, test } from 'vitest'
import { readMail } from './mime/read-mail.ts'

const read = async (body: string) => {
  const mail = `From: ada@people.test\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}`
  const { root } = await readMail(Buffer.from(mail))
  return Buffer.from(root.content ?? new ArrayBuffer(0))
    .subarray(0, 6)
    .toString()
}

test('a mail of more escapes than any text has is kept as it came, at little cost', async () => {
  expect(await read('=41'.repeat(200_000))).toBe('AAAAAA')
  expect(await read('=41'.repeat(500_000))).toBe('=41=41')
})
