import type { InboxRecord } from './record.ts'

/** The palette's heading of what can be done with the open record. */
export const openGroup = ({ name }: InboxRecord): string => `With ${name}, open now`
