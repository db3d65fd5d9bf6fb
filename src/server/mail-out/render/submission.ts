import type { Config } from '#server/config.ts'
import { fieldText, type Kind } from '#server/kinds/kind.ts'
import { acknowledgementLimit } from '#server/mail-out/limit.ts'
import { staffAddresses } from '#server/mail-out/recipients.ts'
import type { NewRecord } from '#server/mail-out/store/submissions.ts'
import { renderAcknowledgement, renderNotice, renderStaffMail, type Submission } from './render.ts'

type SubmissionMail = Pick<
  NewRecord,
  'staffMail' | 'staffRecipients' | 'acknowledgement' | 'acknowledgementLimit' | 'notice'
>

/** What a submission causes to be sent, rendered. */
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
