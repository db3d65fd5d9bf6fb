import type { Config } from '#server/config.ts'
import type { Limit } from '#server/db/rate-limit.ts'
import { fieldText, type Kind } from '#server/kinds/kind.ts'
import { acknowledgementLimit } from '#server/mail-out/limit.ts'
import { staffAddresses } from '#server/mail-out/recipients.ts'
import {
  type Rendered,
  renderAcknowledgement,
  renderNotice,
  renderStaffMail,
  type Submission,
} from './render.ts'

/** The messages that a submission causes, rendered. */
export interface SubmissionMail {
  staffMail: Rendered
  /** Addresses; when empty, every superuser. */
  staffRecipients: readonly string[]
  /** Null for a sender who is never answered. */
  acknowledgement: Rendered | null
  acknowledgementLimit: Limit
  /** A notice for another system, and its URL. */
  notice: { url: string; json: string } | undefined
}

export const submissionMail = (
  config: Config,
  kind: Kind,
  submission: Submission & { timeZone?: string | undefined },
): SubmissionMail => ({
  staffMail: renderStaffMail(kind, submission, config.siteUrl),
  staffRecipients: staffAddresses(config),
  acknowledgement: renderAcknowledgement(kind, submission),
  acknowledgementLimit: acknowledgementLimit(config, fieldText(submission.fields.email)),
  notice: config.webhook && {
    url: config.webhook.url,
    json: renderNotice(kind, submission, { siteUrl: config.siteUrl, url: config.webhook.url }),
  },
})
