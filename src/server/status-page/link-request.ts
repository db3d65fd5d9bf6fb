import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#contract/limits.ts'
import { fullDay } from '#contract/times/moments.ts'
import { isLimitReached, limitFor, perHour } from '#server/db/rate-limit.ts'
import { withoutTimeLimit } from '#server/db/time-limit.ts'
import { type Deps, nameOf } from '#server/deps.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { renderLinks } from '#server/mail-out/render/sender.ts'
import { queueLinks, recordsOf, type Theirs } from './store/link-request.ts'

const titleOf = ({ kind, createdAt }: Theirs): string =>
  `${kindByPath[kind].noun} of ${fullDay(new Date(createdAt), 'UTC')}`

/** The work begins within this time after the answer. */
const LINKS_WITHIN_MS = 1_000

/** Mails an address the links of its last records, where it has any and the hour allows another mail. */
export const sendLinks = (email: string, deps: Deps): Promise<void> =>
  withoutTimeLimit(async () => {
    const { db, config } = deps
    const rule = perHour(limits.senderLinksPerHour)
    const limit = limitFor(config, 'sender-links', email.toLowerCase(), rule)
    try {
      // As with a reset: the work for a known address delays other calls longer, and a random pause hides which.
      await sleep(randomInt(LINKS_WITHIN_MS))
      const records = await recordsOf(db, email)
      const [newest] = records
      if (!newest) return
      const mail = renderLinks(records.map((one) => ({ ...one, title: titleOf(one) })))
      // Use the stored spelling: in another case the address may be another mailbox.
      await queueLinks(db, newest.email, mail, limit)
      await deps.deliver()
    } catch (error) {
      if (isLimitReached(error)) return
      deps.log({ level: 'error', event: 'links_not_sent', name: nameOf(error) })
    }
  })
