/** Mail of the program: its reasons, its progress, and the provider's reports. */

/**
 * `staff` tells of a submission, `acknowledgement` answers its sender, `webhook` posts it elsewhere.
 * `message` is what staff wrote to a sender. `account` is about a staff account or carries a link for it, `code` carries a code.
 * `digest` tells one of the staff each day what is owed, what came and what failed.
 */
export const mailKinds = [
  'staff',
  'acknowledgement',
  'webhook',
  'message',
  'account',
  'code',
  'digest',
] as const
export type MailKind = (typeof mailKinds)[number]

/** `held`: its record is in the spam box. `waiting`: due. `sent`, `failed` and `recalled` are final. */
export const mailStatuses = ['held', 'waiting', 'sent', 'failed', 'recalled'] as const
export type MailStatus = (typeof mailStatuses)[number]

export const messageDeliveries = [
  'waiting',
  'sent',
  'delivered',
  'bounced',
  'failed',
  'recalled',
] as const

export const deliveries = ['delivered', 'bounced', 'complained'] as const
export type DeliveryReport = (typeof deliveries)[number]
