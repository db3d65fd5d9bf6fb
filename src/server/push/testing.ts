import { createDecipheriv, createECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import type { PushKeys, PushPayload } from '#contract/push.ts'
import type { Fetch } from './send.ts'

/** One device of a test: a push subscription as its browser makes it, and what it receives. */
export interface TestDevice {
  endpoint: string
  keys: PushKeys
  /** Decrypts a push message as a browser does (RFC 8291). */
  read(body: Uint8Array): PushPayload
}

const derive = (secret: Uint8Array, salt: Uint8Array, info: string | Uint8Array, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(info), bytes))

export const newDevice = (): TestDevice => {
  const ecdh = createECDH('prime256v1')
  const own = ecdh.generateKeys()
  const auth = randomBytes(16)
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    read(body) {
      const bytes = Buffer.from(body)
      const salt = bytes.subarray(0, 16)
      const begin = 21 + bytes.readUInt8(20)
      const sender = bytes.subarray(21, begin)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
      const secret = derive(ecdh.computeSecret(sender), auth, info, 32)
      const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
      const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(bytes.subarray(-16))
      const plain = Buffer.concat([decipher.update(bytes.subarray(begin, -16)), decipher.final()])
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as PushPayload
    },
  }
}

export interface Received {
  endpoint: string
  headers: Headers
  payload: PushPayload
}

interface PushService {
  received: Received[]
  answer: (endpoint: string) => Response | Promise<Response>
  fetch: Fetch
  take: () => PushPayload[]
}

/** A push service: keeps what it gets for the devices that it knows, and answers as the test says. */
export const pushService = (devices: readonly TestDevice[]): PushService => {
  const received: Received[] = []
  const service: PushService = {
    received,
    answer: () => new Response(null, { status: 201 }),
    fetch: async (url, { body, headers }) => {
      const device = devices.find(({ endpoint }) => endpoint === url)
      if (!device) throw new Error(`Nothing is at ${url}`)
      const payload = device.read(body as Uint8Array)
      received.push({ endpoint: url, headers: new Headers(headers), payload })
      return service.answer(url)
    },
    take: (): PushPayload[] => received.splice(0).map(({ payload }) => payload),
  }
  return service
}
