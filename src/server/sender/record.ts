import { shortReference } from '#contract/reference.ts'
import type { SenderRecord } from '#contract/sender.ts'
import type { Found } from './store/find.ts'

/** Decisions about an application, which a sender learns from a message. */
const decisions = ['accepted', 'rejected']

/** The status as the sender may know it. */
export const knownStatus = ({ kind, status, statusAt, messages }: Found): string => {
  if (kind.path !== 'applications' || !decisions.includes(status)) return status
  const isTold = messages.some(({ from, at }) => from === 'us' && at >= (statusAt ?? ''))
  return isTold ? status : 'reviewing'
}

/** The promised time while it is owed. */
export const owedUntil = ({ waitingFor, withdrawnAt, promisedAt }: Found): string | null =>
  waitingFor === 'us' && withdrawnAt === null ? promisedAt : null

/** What the API answers the sender. Of a record in spam: that it was received. */
export const senderRecord = (found: Found): SenderRecord => {
  const { kind, id, createdAt, fields, seenAt, withdrawnAt, messages } = found
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
    }
  return {
    ...received,
    fields,
    status: knownStatus(found),
    dueAt: owedUntil(found),
    seenAt,
    withdrawnAt,
    messages,
  }
}
