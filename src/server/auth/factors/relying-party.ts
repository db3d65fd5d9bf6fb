import type { Config } from '#server/config.ts'
import { isLoopback } from '#server/http/ip.ts'

/** The relying party of passkeys: taken from the settings, never from the request. */
export interface RelyingParty {
  id: string
  origins: string[]
}

export const relyingParty = ({ siteUrl, port }: Pick<Config, 'siteUrl' | 'port'>): RelyingParty => {
  const { hostname, origin } = new URL(siteUrl)
  if (!isLoopback(hostname)) return { id: hostname, origins: [origin] }
  // A passkey cannot be made for a numeric address.
  return { id: 'localhost', origins: [...new Set([origin, `http://localhost:${port}`])] }
}
