import type { applications } from '#contract/applications.ts'
import type { Status } from '#contract/inbox.ts'
import { shortReference } from '#contract/reference.ts'
import type { SenderRecord } from '#contract/sender.ts'
import type { Found } from './store/find.ts'

/** The step of an application's way at which the sender's page shows each status. */
const steps: Record<Status<typeof applications>, number> = {
  new: 0,
  reviewing: 1,
  interviewed: 2,
  accepted: 3,
  rejected: 3,
}

export const applicationStep = (status: string): number =>
  new Map<string, number>(Object.entries(steps)).get(status) ?? 0

/** True if it is a decision, which a sender learns from a message. */
export const isDecision = (status: string): boolean => applicationStep(status) === 3

export const knownStatus = ({ kind, status, statusAt, lastWrittenAt }: Found): string => {
  if (kind.path !== 'applications' || !isDecision(status)) return status
  const isTold = lastWrittenAt !== null && lastWrittenAt >= (statusAt ?? '')
  return isTold ? status : 'reviewing'
}

/** The promised time while it is owed. */
export const owedUntil = ({ waitingFor, withdrawnAt, promisedAt }: Found): string | null =>
  waitingFor === 'us' && withdrawnAt === null ? promisedAt : null

/**
 * The messages as the sender reads them: with the address of the page where staff see `{link}`. Not for
 * answers to writes, which are stored under their keys: no token is stored.
 */
export const withLinks = <Part extends Pick<Found, 'messages'>>(
  part: Part,
  link: string,
): Part => ({
  ...part,
  messages: part.messages.map((one) =>
    one.from === 'us' ? { ...one, text: one.text.replaceAll('{link}', () => link) } : one,
  ),
})

/** The API's answer to the sender. For a record in spam it says only that it was received. */
export const senderRecord = (found: Found): SenderRecord => {
  const { kind, id, createdAt, fields, seenAt, withdrawnAt, messages, older, appointment } = found
  const received = { kind: kind.path, reference: shortReference(id), createdAt }
  if (found.box === 'spam')
    return {
      ...received,
      fields: {},
      status: kind.statuses[0],
      dueAt: null,
      seenAt: null,
      withdrawnAt: null,
      messages: [],
      appointment: null,
      older: null,
    }
  return {
    ...received,
    fields,
    status: knownStatus(found),
    dueAt: owedUntil(found),
    seenAt,
    withdrawnAt,
    messages,
    appointment,
    older,
  }
}
