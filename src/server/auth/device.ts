import { createHash } from 'node:crypto'

/**
 * Devices are known again by the client's random id, or without one by the kind of browser. Only
 * the random id is hard to guess, so only it has a count of failures of its own.
 */

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Null where the client named none. */
export const namedDevice = (device: string | undefined): string | null =>
  device === undefined ? null : hash(`device:${device}`)

/** The key under which a device's sign-in is remembered. */
export const deviceKey = (named: string | null, browser: string | null): string =>
  named ?? hash(`browser:${browser ?? ''}`)
