import type { KindPath } from '#contract/inbox.ts'
import type { Config } from '#server/config.ts'
import type { Core } from '#server/deps.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { fillLink, linkMarker, namedRecords } from './link.ts'
import type { Message, Sender } from './message.ts'
import { withInvitation } from './render/invitation.ts'
import { isTrashed, type RecordTokens, tokensOf } from './store/record-links.ts'

const pageUrl = ({ siteUrl }: Config, { page }: RecordTokens): string => `${siteUrl}/status/${page}`

/** The mail with the links of the records that it names; one that is gone or readdressed has none. */
const withNamedLinks = async ({ db, config }: Core, message: Message): Promise<Message> => {
  let filled = message
  for (const { kind: path, id } of namedRecords(message.text)) {
    const kind = kindByPath[path]
    const tokens = await tokensOf(db, config.authSecret, kind, { id, email: message.to })
    const link = tokens ? pageUrl(config, tokens) : '(erased or corrected since)'
    filled = { ...filled, ...fillLink(filled, link, linkMarker(path, id)) }
  }
  return filled
}

/** The mail with its record's link, and with an address of its own for answers where mail can be received. */
const withOwnLink = async (
  { db, config }: Core,
  message: Message,
  { kind, id }: { kind: KindPath; id: string },
): Promise<Message | undefined> => {
  const theirs = { id, email: message.to }
  const tokens = await tokensOf(db, config.authSecret, kindByPath[kind], theirs)
  if (!tokens) return undefined
  const { replyDomain } = config.mail
  return {
    ...message,
    ...fillLink(message, pageUrl(config, tokens)),
    replyTo: replyDomain ? `reply+${tokens.reply}@${replyDomain}` : message.replyTo,
  }
}

/** False for the end of a talk whose record is in the trash: the link of its page opens nothing. */
const hasPage = async ({ db }: Core, { calendar, record }: Message): Promise<boolean> => {
  if (calendar?.what !== 'cancelled' || !record) return true
  return !(await isTrashed(db, kindByPath[record.kind], record.id))
}

export const withLink =
  (deps: Core, send: Sender): Sender =>
  async (stored) => {
    const looks = { hasPage: await hasPage(deps, stored) }
    const message = await withInvitation(stored, deps.config, looks).catch(() => undefined)
    // A failure here would stop the outbox before the mail behind this one.
    if (!message) return { outcome: 'permanent', error: 'its invitation cannot be written' }
    const { kind, record } = message
    if (kind === 'code') return send(await withNamedLinks(deps, message))
    if (!record || (kind !== 'message' && kind !== 'acknowledgement')) return send(message)
    const linked = await withOwnLink(deps, message, record)
    if (linked) return send(linked)
    // The next attempt reads the corrected address.
    return { outcome: 'temporary', error: 'its record is gone or has another address now' }
  }
