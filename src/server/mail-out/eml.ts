import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { automaticHeaders, type Delivery, type Message, senderOf } from './message.ts'
import { messageIdOf } from './message-id.ts'

// A package that is imported where it is used stays unloaded, also where a bundler has joined the
// files of this project into one: a deployed function never composes, and does without it.
const composer = async () => {
  const { createTransport } = await import('nodemailer')
  return createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
}

export const mailboxOf = (dataDir: string): string => join(dataDir, 'mail')

/** Writes the message as one `.eml` file, named by its id: written twice it is there once. */
export const writeEml = async (
  { dataDir, from }: { dataDir: string; from: string },
  message: Message,
): Promise<Delivery> => {
  const { id, to, replyTo, subject, text, html, invite } = message
  const mailbox = mailboxOf(dataDir)
  const file = join(mailbox, `${id}.eml`)
  const unfinished = `${file}.part`
  try {
    const { message: bytes } = await (await composer()).sendMail({
      messageId: `<${messageIdOf(id)}>`,
      from: senderOf(message, from),
      to,
      ...(replyTo ? { replyTo } : {}),
      headers: automaticHeaders(message),
      subject,
      text,
      html,
      // As an alternative of the text, and attached: calendars look for either.
      ...(invite
        ? { icalEvent: { method: invite.method, filename: 'invite.ics', content: invite.text } }
        : {}),
    })
    await mkdir(mailbox, { recursive: true, mode: 0o700 })
    await writeFile(unfinished, bytes as Buffer, { mode: 0o600 })
    await rename(unfinished, file)
    return { outcome: 'sent', providerId: null, withdraw: () => rm(file, { force: true }) }
  } catch (error) {
    // On a full disk a part remains. An erasure may have run meanwhile, and would not find it later.
    await rm(unfinished, { force: true }).catch(() => undefined)
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    return { outcome: 'temporary', error: `the local mailbox cannot be written: ${code}` }
  }
}
