import { createStore } from '../browser/store.ts'
import type { InboxRecord } from './api/record.ts'
import type { KindView } from './kinds/kind-view.ts'

/**
 * Which records were opened on this device, by id alone, with the time of what was newest then, in the
 * device's own database: local storage is kept for the sign-in and the two switches.
 */
const databaseName = 'inbox'
const storeName = 'opened'

/** What was newest in each record when it was last open; empty where an earlier version did not store it. */
type Opened = ReadonlyMap<string, string>

const opened = createStore<Opened>(new Map())

const database: Promise<IDBDatabase | null> = new Promise((resolve) => {
  try {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    // Without a database (private windows) the marks live as long as the tab.
    request.onerror = () => resolve(null)
  } catch {
    resolve(null)
  }
})

void database.then((db) => {
  if (!db) return
  const stored = new Map<string, string>()
  const request = db.transaction(storeName).objectStore(storeName).openCursor()
  request.onsuccess = () => {
    const cursor = request.result
    if (!cursor) return opened.set(new Map([...stored, ...opened.get()]))
    stored.set(String(cursor.key), typeof cursor.value === 'string' ? cursor.value : '')
    cursor.continue()
  }
})

export const markOpened = ({ _id, createdAt, lastMessageAt }: InboxRecord): void => {
  const newest = lastMessageAt ?? createdAt
  if (opened.get().get(_id) === newest) return
  opened.set(new Map([...opened.get(), [_id, newest]]))
  void database.then((db) =>
    db?.transaction(storeName, 'readwrite').objectStore(storeName).put(newest, _id),
  )
}

export const useOpened = opened.use

/** Unread: not opened here since it came, while nobody has moved it on, or since the sender's reply. */
export const isUnread = (view: KindView, record: InboxRecord, opened: Opened): boolean => {
  const { _id, status, waitingFor, lastMessageAt } = record
  const newest = opened.get(_id)
  if (waitingFor === 'us' && lastMessageAt !== null) return (newest ?? '') < lastMessageAt
  return status === view.statuses[0]?.value && newest === undefined
}
