/** Purposes of stored secrets: a row's ciphertext reads as nothing in another's place. */

/** The bodies of a mail that carries a link or a code. */
export const mailPurpose = 'mail'

/** The tokens of a record's sender. */
export const recordLinkPurpose = (recordId: string): string => `record-link:${recordId}`

/** An account's secret of an authenticator app. */
export const totpPurpose = (userId: string): string => `totp:${userId}`

/** Secrets and `Authorization` header of an outgoing webhook. */
export const webhookPurpose = (endpointId: string): string => `webhook:${endpointId}`

/** Endpoint and keys of a device that gets notifications. */
export const devicePurpose = (userId: string): string => `push:${userId}`

/** The address of a host's own calendar. */
export const busyUrlPurpose = (userId: string): string => `busy-calendar:${userId}`
