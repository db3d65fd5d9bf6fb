const areAllowed = (): boolean =>
  'serviceWorker' in navigator && 'Notification' in window && Notification.permission === 'granted'

/** Loads the code that follows clicks on notifications, where this browser shows any. */
export const loadClicks = async () =>
  areAllowed()
    ? import('../account/notifications/follow-clicks.ts').catch(() => undefined)
    : undefined
