import { limits } from '#contract/limits.ts'

const reasons: Record<string, string> = {
  trap: 'a field that people cannot see was filled',
  too_fast: `it was sent within ${limits.tooFastMs / 1_000} seconds of the page loading`,
  links: `the text holds more than ${limits.linksInText} links`,
  repeat: 'the same text was sent twice before within a day',
  auto: 'a program sent it by mail',
  flood: 'too much mail of new senders came within the hour',
  staff: 'someone of the staff marked it',
}

export const sayReason = (reason: string): string => reasons[reason] ?? reason
