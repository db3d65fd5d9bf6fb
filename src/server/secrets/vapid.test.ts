import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { newVapidKeys } from './vapid.ts'

const AUTH_SECRET = 'x'.repeat(32)

test('keys for notifications are a pair, of which the private one is enough', () => {
  for (let n = 0; n < 20; n += 1) {
    const { publicKey, privateKey } = newVapidKeys()
    expect([publicKey.length, privateKey.length]).toEqual([87, 43])
    expect(readConfig({ AUTH_SECRET, VAPID_PRIVATE_KEY: privateKey }).push).toEqual({
      publicKey,
      privateKey,
    })
    expect(readConfig({ AUTH_SECRET, VAPID_PUBLIC_KEY: publicKey }).push).toBeUndefined()
    // Whatever is encrypted for the public key, the private one reads.
    const [mine, other] = [createECDH('prime256v1'), createECDH('prime256v1')]
    mine.setPrivateKey(privateKey, 'base64url')
    const theirs = other.generateKeys()
    expect(mine.computeSecret(theirs)).toEqual(other.computeSecret(publicKey, 'base64url'))
  }
})

test('keys that are none, or no pair, stop the start and say so', () => {
  const [one, another] = [newVapidKeys(), newVapidKeys()]
  const { publicKey: VAPID_PUBLIC_KEY } = another
  expect(() =>
    readConfig({ AUTH_SECRET, VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: one.privateKey }),
  ).toThrow(/VAPID_PUBLIC_KEY belongs to another/)
  for (const VAPID_PRIVATE_KEY of ['x', one.publicKey, 'A'.repeat(43), '_'.repeat(43)])
    expect(() => readConfig({ AUTH_SECRET, VAPID_PRIVATE_KEY })).toThrow(
      /VAPID_PRIVATE_KEY.*npm run push-keys/,
    )
})
