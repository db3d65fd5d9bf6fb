import { useEffect, useState } from 'react'
import { navigate, useLocation } from '../router/location.ts'

/** The secret in the fragment of a mailed link; it leaves the address bar and the history once it is read. */
export const useLinkToken = (): string => {
  const hash = useLocation((location) => location.hash)
  const [token, setToken] = useState(hash)
  useEffect(() => {
    if (!hash) return
    setToken(hash)
    void navigate(location.pathname, { replace: true })
  }, [hash])
  return token
}
