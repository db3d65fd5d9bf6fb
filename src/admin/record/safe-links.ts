/** Links made of what strangers typed. */

/** A mail draft. Everything is encoded, so that neither address nor subject can add a header. */
export const mailDraft = (to: string, subject: string): string => {
  const address = encodeURIComponent(to).replaceAll('%40', '@')
  return `mailto:${address}?subject=${encodeURIComponent(subject)}`
}

export const phoneLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`

/** An address that may be linked to, with the host it really leads to; null for anything but http(s). */
export const webLink = (address: string): { href: string; host: string } | null => {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && !url.username && !url.password ? { href: url.href, host: url.host } : null
}
