/**
 * The device's own database: which records were opened here, and how lists are shown. Local storage is
 * kept for the sign-in and the two switches.
 */
const databaseName = 'inbox'
const stores = ['opened', 'preferences'] as const
type Store = (typeof stores)[number]

const database: Promise<IDBDatabase | null> = new Promise((resolve) => {
  try {
    const request = indexedDB.open(databaseName, 2)
    request.onupgradeneeded = () => {
      const { result } = request
      for (const name of stores)
        if (!result.objectStoreNames.contains(name)) result.createObjectStore(name)
    }
    request.onsuccess = () => {
      const db = request.result
      // A tab with a newer version waits until this one lets go.
      db.onversionchange = () => db.close()
      resolve(db)
    }
    // Without a database (private windows) what is written lives as long as the tab.
    request.onerror = () => resolve(null)
  } catch {
    resolve(null)
  }
})

/** All entries of a store, once the database is open; never called without one. */
export const readAll = (name: Store, take: (entries: Map<string, string>) => void): void => {
  void database.then((db) => {
    if (!db) return
    const entries = new Map<string, string>()
    const request = db.transaction(name).objectStore(name).openCursor()
    request.onsuccess = () => {
      const cursor = request.result
      if (!cursor) return take(entries)
      entries.set(String(cursor.key), typeof cursor.value === 'string' ? cursor.value : '')
      cursor.continue()
    }
  })
}

export const write = (name: Store, key: string, value: string): void => {
  void database
    .then((db) => db?.transaction(name, 'readwrite').objectStore(name).put(value, key))
    // Another tab has taken the database over: what is written lives as long as this one.
    .catch(() => undefined)
}
