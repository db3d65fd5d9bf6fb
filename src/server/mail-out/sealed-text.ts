import type { Rendered } from '#server/mail-out/render/render.ts'
import { decrypt, encrypt, mailPurpose } from '#server/secrets/encrypt.ts'

/** The bodies of a mail that carries a link or a code: encrypted while they wait, gone once they are sent. */
type Bodies = Omit<Rendered, 'subject'>

export const sealText = (authSecret: string, { text, html }: Bodies): string =>
  encrypt(authSecret, mailPurpose, JSON.stringify({ text, html }))

export const openText = (authSecret: string, sealed: string): Bodies | null => {
  const bodies = decrypt(authSecret, mailPurpose, sealed)
  return bodies === null ? null : (JSON.parse(bodies) as Bodies)
}
