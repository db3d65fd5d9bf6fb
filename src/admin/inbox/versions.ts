import type { InboxRecord } from './api/record.ts'

/** The versions of records that this person's own changes have made, as far as they are answered. */
const own = new Map<string, number>()

/** The version that this person last saw or made. */
export const versionOf = (record: InboxRecord): number =>
  Math.max(record.version, own.get(record._id) ?? 0)

export const madeVersion = (id: string, version: number): void => {
  own.set(id, version)
}

export const forgetVersions = (): void => own.clear()
