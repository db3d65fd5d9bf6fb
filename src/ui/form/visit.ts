import type { Source } from '#contract/submission.ts'

/**
 * The visitor's origin and time zone. The layout's inline script stores them in `sessionStorage` on
 * the first page of a visit; there are no cookies.
 */
export const readSource = (): Source => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    const stored = sessionStorage.getItem('source') ?? '{}'
    // A tab may hold the address of a sender's page, stored by an earlier version.
    return { ...(stored.includes('/status/') ? {} : JSON.parse(stored)), timeZone }
  } catch {
    return { timeZone }
  }
}

let hasBegun = false

/** Counts a form that is begun, once on each page, by where the visit came from. */
export const countBegun = (): void => {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    globalPrivacyControl?: boolean
  }
  if (hasBegun || globalPrivacyControl || doNotTrack === '1') return
  hasBegun = true
  const { landingPage: page = location.pathname, referrer: source, utm_source } = readSource()
  const beacon = { page, source, campaign: utm_source, wide: innerWidth > 767, begun: true }
  navigator.sendBeacon('/api/visits', JSON.stringify(beacon))
}
