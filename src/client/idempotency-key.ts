/** A new `Idempotency-Key`: 32 hexadecimal digits. Works without `crypto.randomUUID`, which plain HTTP lacks. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
