import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

/** The path of the sender's page in the mail that confirms a submission of this address; empty before it. */
export async function senderPage(mailbox: string, email: string): Promise<string> {
  // A mail is renamed to `.eml` once it is written whole.
  for (const file of globSync(join(mailbox, '*.eml'))) {
    const mail = await PostalMime.parse(readFileSync(file))
    const link = /\/status\/[\w-]{22,}/.exec(mail.text ?? '')?.[0]
    if (link && mail.to?.some(({ address }) => address === email)) return link
  }
  return ''
}
