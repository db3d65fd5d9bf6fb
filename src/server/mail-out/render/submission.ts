import type { Config } from '#server/config.ts'
import { fieldText, type Kind } from '#server/kinds/kind.ts'
import { acknowledgementLimit } from '#server/mail-out/limit.ts'
import { staffAddresses } from '#server/mail-out/store/recipients.ts'
import {
  type Rendered,
  renderAcknowledgement,
  renderNotice,
  renderParagraphs,
  renderStaffMail,
  type Submission,
} from './render.ts'

export const submissionMail = (
  config: Config,
  kind: Kind,
  submission: Submission,
  isBlind = false,
) => ({
  staffMail: renderStaffMail(kind, submission, config.siteUrl, isBlind),
  /** Null where staff may not know yet who it is. */
  staffReplyTo: isBlind ? null : fieldText(submission.fields.email),
  /** Addresses; when empty, every superuser. */
  staffRecipients: staffAddresses(config),
  acknowledgement: renderAcknowledgement(kind, submission),
  acknowledgementLimit: acknowledgementLimit(config, fieldText(submission.fields.email)),
  notice: config.webhook && {
    url: config.webhook.url,
    json: renderNotice(kind, submission, { siteUrl: config.siteUrl, url: config.webhook.url }),
  },
})
export type SubmissionMail = ReturnType<typeof submissionMail>

export const renderFlood = (count: number, siteUrl: string): Rendered => {
  const things =
    count === 1 ? 'mail that would be a new contact was' : 'mails that would be new contacts were'
  return renderParagraphs('Mail is set apart as a flood', [
    `${count} ${things} set apart within the last hour, because too many came. What comes within the next hour is set apart too, without another mail like this.`,
    `They are kept whole or begun, and answered by nothing: ${siteUrl}/admin/contacts?box=spam`,
  ])
}
