import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signRaw,
} from 'node:crypto'

/**
 * An authenticator in software: it makes real keys and signs with them, as a browser hands it on. Every
 * part of an answer can be made wrong.
 */

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

const head = (major: number, n: number): Buffer => {
  const type = major << 5
  if (n < 24) return Buffer.from([type | n])
  if (n < 0x100) return Buffer.from([type | 24, n])
  const bytes = Buffer.alloc(3)
  bytes[0] = type | 25
  bytes.writeUInt16BE(n, 1)
  return bytes
}

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)]),
    ])
  return Buffer.concat([head(2, value.length), value])
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()
const b64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')

/** COSE's numbers, and one that the server does not take. */
export const algorithms = { ed25519: -8, es256: -7, rs256: -257, es384: -35 } as const
export type Algorithm = keyof typeof algorithms

interface Key {
  algorithm: Algorithm
  privateKey: KeyObject
  cose: Buffer
}

const newKey = (algorithm: Algorithm): Key => {
  const alg = algorithms[algorithm]
  if (algorithm === 'ed25519') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const { x = '' } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, Cbor>([
      [1, 1],
      [3, alg],
      [-1, 6],
      [-2, Buffer.from(x, 'base64url')],
    ])
    return { algorithm, privateKey, cose: cbor(cose) }
  }
  if (algorithm === 'rs256') {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, Cbor>([
      [1, 3],
      [3, alg],
      [-1, Buffer.from(n, 'base64url')],
      [-2, Buffer.from(e, 'base64url')],
    ])
    return { algorithm, privateKey, cose: cbor(cose) }
  }
  const namedCurve = algorithm === 'es256' ? 'P-256' : 'P-384'
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = new Map<number, Cbor>([
    [1, 2],
    [3, alg],
    [-1, algorithm === 'es256' ? 1 : 2],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  return { algorithm, privateKey, cose: cbor(cose) }
}

const signWith = ({ algorithm, privateKey }: Key, bytes: Buffer): Buffer => {
  if (algorithm === 'ed25519') return signRaw(null, bytes, privateKey)
  return createSign(algorithm === 'es384' ? 'sha384' : 'sha256')
    .update(bytes)
    .sign(privateKey)
}

/** What may be wrong with an answer. */
export interface Twist {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  topOrigin?: string
  /** The flags byte as it is to stand. */
  flags?: number
  counter?: number
  /** Changes the answer after it was signed. */
  tamper?: (answer: PasskeyAnswer) => void
  userHandle?: string | null
  /** Signs with another key than the one that was registered. */
  otherKey?: boolean
  /** The public key names another algorithm. */
  cose?: Buffer
  format?: string
  statement?: Map<string, Cbor>
}

export interface PasskeyAnswer {
  id: string
  rawId: string
  type: string
  clientExtensionResults: object
  response: Record<string, unknown>
}

interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
const ATTESTED = 0x40

export const flags = { USER_PRESENT, USER_VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED }

const clientData = (options: Options, origin: string, type: string, twist: Twist): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: twist.type ?? type,
      challenge: twist.challenge ?? options.challenge,
      origin: twist.origin ?? origin,
      crossOrigin: twist.crossOrigin ?? false,
      ...(twist.topOrigin ? { topOrigin: twist.topOrigin } : {}),
    }),
  )

/** One credential of an authenticator, which counts its uses unless it is synced. */
export class SoftPasskey {
  readonly id: string
  readonly key: Key
  userHandle = ''
  counter: number
  private readonly origin: string
  private readonly synced: boolean

  constructor({
    origin,
    algorithm = 'es256',
    synced = false,
    idBytes = 32,
  }: {
    origin: string
    algorithm?: Algorithm
    synced?: boolean
    idBytes?: number
  }) {
    this.id = b64(randomBytes(idBytes))
    this.origin = origin
    this.key = newKey(algorithm)
    this.synced = synced
    this.counter = synced ? 0 : 1
  }

  private authenticatorData(rpId: string, flagBits: number, counter: number): Buffer {
    const tail = Buffer.alloc(5)
    tail[0] = flagBits
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), tail])
  }

  private get usualFlags(): number {
    return USER_PRESENT | USER_VERIFIED | (this.synced ? BACKUP_ELIGIBLE | BACKED_UP : 0)
  }

  /** The answer to `navigator.credentials.create`. */
  create(given: unknown, twist: Twist = {}): PasskeyAnswer {
    const options = given as Options
    this.userHandle = options.user?.id ?? ''
    const credentialId = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const authData = Buffer.concat([
      this.authenticatorData(
        twist.rpId ?? options.rp?.id ?? '',
        twist.flags ?? this.usualFlags | ATTESTED,
        twist.counter ?? this.counter,
      ),
      Buffer.alloc(16),
      length,
      credentialId,
      twist.cose ?? this.key.cose,
    ])
    const attestation = new Map<string, Cbor>([
      ['fmt', twist.format ?? 'none'],
      ['attStmt', twist.statement ?? new Map<string, Cbor>()],
      ['authData', authData],
    ])
    return this.answer(twist, {
      clientDataJSON: b64(clientData(options, this.origin, 'webauthn.create', twist)),
      attestationObject: b64(cbor(attestation)),
      transports: ['internal'],
    })
  }

  /** The answer to `navigator.credentials.get`. */
  get(given: unknown, twist: Twist = {}): PasskeyAnswer {
    const options = given as Options
    if (!this.synced) this.counter += 1
    const data = clientData(options, this.origin, 'webauthn.get', twist)
    const authData = this.authenticatorData(
      twist.rpId ?? options.rpId ?? '',
      twist.flags ?? this.usualFlags,
      twist.counter ?? this.counter,
    )
    const key = twist.otherKey ? newKey(this.key.algorithm) : this.key
    const userHandle = twist.userHandle === undefined ? this.userHandle : twist.userHandle
    return this.answer(twist, {
      clientDataJSON: b64(data),
      authenticatorData: b64(authData),
      signature: b64(signWith(key, Buffer.concat([authData, sha256(data)]))),
      ...(userHandle === null ? {} : { userHandle }),
    })
  }

  private answer({ tamper }: Twist, response: Record<string, unknown>): PasskeyAnswer {
    const answer: PasskeyAnswer = {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response,
    }
    tamper?.(answer)
    return answer
  }
}
