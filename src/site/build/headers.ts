import { contentSecurityPolicy } from './content-security-policy.ts'
import type { BuiltPage } from './pages.ts'
import { preloadHeader } from './rewrite/admin-preloads.ts'

/** The headers of every answer except the policy, which depends on the pages. */
export const everywhere = {
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const year = 'public, max-age=31536000, immutable'
const week = 'public, max-age=604800'
const hidden = { 'X-Robots-Tag': 'noindex' }

/**
 * The `_headers` file. No two rules that match the same URL set the same header, because hosts differ
 * in whether the later one replaces the earlier or is appended with a comma. So one policy, which
 * allows the inline blocks of all pages, applies to every URL, including unknown ones (404 page).
 * `noindex` keeps the whole site out of search engines.
 */
export const headersFile = (pages: readonly BuiltPage[], { noindex = false } = {}) => {
  const rules: { path: string; headers: Record<string, string> }[] = [
    {
      path: '/*',
      headers: {
        ...everywhere,
        ...(noindex ? hidden : {}),
        'Content-Security-Policy': contentSecurityPolicy(...pages.map(({ html }) => html)),
      },
    },
    { path: '/_astro/*', headers: { 'Cache-Control': year } },
    { path: '/og/*', headers: { 'Cache-Control': week } },
    ...pages.flatMap(({ path, html }) => {
      const scripts = preloadHeader(html)
      return scripts === undefined ? [] : [{ path, headers: { Link: scripts } }]
    }),
    ...(noindex ? [] : ['/admin/*', '/thanks/*'].map((path) => ({ path, headers: hidden }))),
  ]
  return rules
    .map(({ path, headers }) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n')
    .concat('\n')
}
