import { decrypt, encrypt } from '#server/keys/encrypt.ts'

/** The bodies of a mail that carries a link or a code: encrypted while they wait, gone once they are sent. */
interface Bodies {
  text: string
  html: string
}

const PURPOSE = 'mail'

export const sealText = (authSecret: string, { text, html }: Bodies): string =>
  encrypt(authSecret, PURPOSE, JSON.stringify({ text, html }))

/** Null where no key of `AUTH_SECRET` reads it. */
export const openText = (authSecret: string, sealed: string): Bodies | null => {
  const bodies = decrypt(authSecret, PURPOSE, sealed)
  return bodies === null ? null : (JSON.parse(bodies) as Bodies)
}
