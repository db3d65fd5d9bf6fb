import { loadedLater } from '../browser/loaded-later.ts'

/** The unread counts of the navigation, loaded once a screen has what it shows first. */
export const badge = loadedLater(
  async () => (await import('../inbox/unread-badge.tsx')).UnreadBadge,
)

export const loadBadge = (): void => {
  // The next screen tries a failure again.
  void badge.load().catch(() => undefined)
}
