import type { SpamReason } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'

const link = /(?:https?:\/\/(?:www\.)?|www\.)/gi

/**
 * Reasons for suspecting spam that show in the submission itself; the database finds repeated
 * texts.
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
