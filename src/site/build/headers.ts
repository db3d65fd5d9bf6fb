import { contentSecurityPolicy } from './content-security-policy.ts'
import type { BuiltPage } from './pages.ts'
import type { QueryRewrite } from './redirects.ts'

/** Every response's headers, but for the policy, which differs from page to page. */
const everywhere = {
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

const policyOf = (pages: readonly BuiltPage[]) =>
  contentSecurityPolicy(...pages.map(({ html }) => html))

interface Rule {
  path: string
  headers: Record<string, string>
}

/**
 * The `_headers` file. Of two rules that give one path the same header the later counts, on Netlify
 * as on this project's host: the first rule holds the policy of the 404 page, which answers at any
 * path, and each page's own rule follows. A preview is kept out of search engines.
 */
export const headersFile = (
  pages: readonly BuiltPage[],
  rewrites: readonly QueryRewrite[],
  { isPreview = false } = {},
) => {
  const at = (path: string) => pages.filter((page) => page.path === path)
  const rules: Rule[] = [
    {
      path: '/*',
      headers: {
        ...everywhere,
        ...(isPreview ? { 'X-Robots-Tag': 'noindex' } : {}),
        'Content-Security-Policy': policyOf(at('/404')),
      },
    },
    { path: '/_astro/*', headers: { 'Cache-Control': year } },
    { path: '/og/*', headers: { 'Cache-Control': week } },
    {
      path: '/admin',
      headers: { 'X-Robots-Tag': 'noindex' },
    },
    {
      path: '/admin/*',
      headers: {
        'X-Robots-Tag': 'noindex',
        'Content-Security-Policy': policyOf(at('/admin')),
      },
    },
    { path: '/thanks/*', headers: { 'X-Robots-Tag': 'noindex' } },
    ...pages
      .filter(({ path }) => path !== '/404')
      .map((page) => {
        // A rewrite shows another file at this address: its blocks are allowed here too.
        const shown = rewrites.filter(({ from }) => from === page.path).flatMap(({ to }) => at(to))
        return {
          path: page.path,
          headers: { 'Content-Security-Policy': policyOf([page, ...shown]) },
        }
      }),
  ]
  return rules
    .map(({ path, headers }) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n')
    .concat('\n')
}
