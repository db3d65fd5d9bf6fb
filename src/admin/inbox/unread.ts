import { useSyncExternalStore } from 'react'
import type { InboxRecord } from './api/record.ts'
import type { KindView } from './kinds/kind-view.ts'

/**
 * Which records were opened on this device, by id alone, in the device's own database: local storage
 * is kept for the sign-in and the two switches.
 */
const databaseName = 'inbox'
const storeName = 'opened'

let opened: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

const tell = (next: ReadonlySet<string>): void => {
  opened = next
  for (const listener of listeners) listener()
}

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
  request.onsuccess = () => tell(new Set([...opened, ...request.result.map(String)]))
})

export const markOpened = (id: string): void => {
  if (opened.has(id)) return
  tell(new Set([...opened, id]))
  void database.then((db) =>
    db?.transaction(storeName, 'readwrite').objectStore(storeName).put(1, id),
  )
}

export const useOpened = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => opened,
  )

/** Unread: nobody has moved it on, and it was not opened here. */
export const isUnread = (
  view: KindView,
  record: InboxRecord,
  opened: ReadonlySet<string>,
): boolean => record.status === view.statuses[0]?.value && !opened.has(record._id)
