import { useEffect } from 'react'
import { navigate } from '../router/location.ts'

const areAllowed = (): boolean =>
  'serviceWorker' in navigator && 'Notification' in window && Notification.permission === 'granted'

/** Follows clicks on notifications, where this browser shows any; the code for it is loaded then. */
export const useNotifications = (isStaff: boolean): void => {
  useEffect(() => {
    if (!isStaff || !areAllowed()) return
    const ending = import('../account/notifications/follow-clicks.ts')
      .then(({ followClicks }) => followClicks((href) => void navigate(href)))
      .catch(() => undefined)
    return () => void ending.then((end) => end?.())
  }, [isStaff])
}
