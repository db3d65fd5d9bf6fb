/** Purposes of stored secrets: a row's ciphertext reads as nothing in another's place. */

export const mailPurpose = 'mail'
export const recordLinkPurpose = (recordId: string): string => `record-link:${recordId}`
export const totpPurpose = (userId: string): string => `totp:${userId}`
export const webhookPurpose = (endpointId: string): string => `webhook:${endpointId}`
export const devicePurpose = (userId: string): string => `push:${userId}`
export const busyUrlPurpose = (userId: string): string => `busy-calendar:${userId}`
