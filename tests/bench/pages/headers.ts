import { atLeast, type Part } from '#tests/bench/part.ts'
import { withHost } from '#tests/bench/stage.ts'

/** What the MDN Observatory scores, and the two isolation headers; each is one point here. */
const checks: Record<string, (headers: Headers) => boolean> = {
  'policy denies by default': (headers) => policy(headers).includes("default-src 'none'"),
  'policy allows nothing unsafe': (headers) => !policy(headers).includes('unsafe-'),
  'policy forbids framing': (headers) => policy(headers).includes("frame-ancestors 'none'"),
  'policy forbids other bases': (headers) => policy(headers).includes("base-uri 'none'"),
  'policy keeps forms at home': (headers) => policy(headers).includes("form-action 'self'"),
  'policy requires Trusted Types': (headers) =>
    policy(headers).includes("require-trusted-types-for 'script'"),
  'transport is strict for two years': (headers) =>
    /max-age=63072000; includeSubDomains/.test(headers.get('strict-transport-security') ?? ''),
  'types are not sniffed': (headers) => headers.get('x-content-type-options') === 'nosniff',
  'frames are denied': (headers) => headers.get('x-frame-options') === 'DENY',
  'referrers stay short': (headers) =>
    headers.get('referrer-policy') === 'strict-origin-when-cross-origin',
  'features are declined': (headers) => headers.has('permissions-policy'),
  'openers are isolated': (headers) => headers.get('cross-origin-opener-policy') === 'same-origin',
  'embedding asks first': (headers) =>
    headers.get('cross-origin-embedder-policy') === 'require-corp',
  'resources stay at home': (headers) =>
    headers.get('cross-origin-resource-policy') === 'same-origin',
  'no origin is let in': (headers) => !headers.has('access-control-allow-origin'),
  'no software names its version': (headers) =>
    !headers.has('server') && !headers.has('x-powered-by'),
}

const policy = (headers: Headers) => headers.get('content-security-policy') ?? ''

/** The headers that a browser gets with the home page. */
export const headers: Part = {
  name: 'headers',
  measure: () =>
    withHost(async ({ url }) => {
      const answer = await fetch(url)
      await answer.text()
      const results = Object.fromEntries(
        Object.entries(checks).map(([name, holds]) => [name, holds(answer.headers)]),
      )
      const held = Object.values(results).filter(Boolean).length
      const count = Object.keys(checks).length
      return {
        rows: [atLeast('security headers of a page that are as promised', held, count)],
        details: { checks: results, headers: Object.fromEntries(answer.headers) },
      }
    }),
}
