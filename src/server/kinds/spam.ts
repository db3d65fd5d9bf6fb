import type { SpamReason } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'

const link = /(?:https?:\/\/(?:www\.)?|www\.)/gi

/**
 * Why a submission is set apart, as far as it shows in the submission itself; that the same text came
 * before is the database's to say.
 */
export const spamReasons = (submission: {
  trapped: boolean
  elapsedMs: number | undefined
  text: string
}): SpamReason[] => {
  const { trapped, elapsedMs, text } = submission
  const reasons: SpamReason[] = []
  if (trapped) reasons.push('trap')
  if (elapsedMs !== undefined && elapsedMs < limits.tooFastMs) reasons.push('too_fast')
  if ((text.match(link)?.length ?? 0) > limits.linksInText) reasons.push('links')
  return reasons
}
