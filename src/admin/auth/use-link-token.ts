import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** The secret in the fragment of a mailed link; it leaves the address bar and the history once it is read. */
export const useLinkToken = (): string => {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const [token, setToken] = useState(hash)
  useEffect(() => {
    if (!hash) return
    setToken(hash)
    void navigate({ to: '.', replace: true })
  }, [hash, navigate])
  return token
}
