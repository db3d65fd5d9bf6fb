/** A new `Idempotency-Key`: 32 hexadecimal digits. Also where `crypto.randomUUID` is not offered (plain HTTP). */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
