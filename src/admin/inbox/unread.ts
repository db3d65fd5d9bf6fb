import { createStore } from '../components/store.ts'
import type { InboxRecord } from './api/record.ts'
import type { KindView } from './kinds/kind-view.ts'

/**
 * Which records were opened on this device, by id alone, in the device's own database: local storage
 * is kept for the sign-in and the two switches.
 */
const databaseName = 'inbox'
const storeName = 'opened'

const opened = createStore<ReadonlySet<string>>(new Set())

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
  const request = db.transaction(storeName).objectStore(storeName).getAllKeys()
  request.onsuccess = () => opened.set(new Set([...opened.get(), ...request.result.map(String)]))
})

export const markOpened = (id: string): void => {
  if (opened.get().has(id)) return
  opened.set(new Set([...opened.get(), id]))
  void database.then((db) =>
    db?.transaction(storeName, 'readwrite').objectStore(storeName).put(1, id),
  )
}

export const useOpened = opened.use

/** Unread: nobody has moved it on, and it was not opened here. */
export const isUnread = (
  view: KindView,
  record: InboxRecord,
  opened: ReadonlySet<string>,
): boolean => record.status === view.statuses[0]?.value && !opened.has(record._id)
