import { createStore } from '../browser/store.ts'
import { readAll, write } from './device.ts'
import type { KindView } from './kinds/kind-view.ts'
import type { InboxRecord } from './record.ts'

/**
 * Which records were opened on this device, by id alone: what was newest in each when it was last open;
 * empty where an earlier version did not store it.
 */
export type Opened = ReadonlyMap<string, string>

const opened = createStore<Opened>(new Map())

readAll('opened', (stored) => opened.set(new Map([...stored, ...opened.get()])))

export const markOpened = ({ _id, createdAt, lastMessageAt }: InboxRecord): void => {
  const newest = lastMessageAt ?? createdAt
  if (opened.get().get(_id) === newest) return
  opened.set(new Map([...opened.get(), [_id, newest]]))
  write('opened', _id, newest)
}

export const useOpened = opened.use

/** Unread: not opened here since it came, while nobody has moved it on, or since the sender's reply. */
export const isUnread = (view: KindView, record: InboxRecord, opened: Opened): boolean => {
  const { _id, status, waitingFor, lastMessageAt } = record
  const newest = opened.get(_id)
  if (waitingFor === 'us' && lastMessageAt !== null) return (newest ?? '') < lastMessageAt
  return status === view.statuses[0]?.value && newest === undefined
}
