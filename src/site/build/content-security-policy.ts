import { createHash } from 'node:crypto'

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const inlineHashes = (html: string, element: 'script' | 'style'): string[] => {
  const blocks = html.matchAll(new RegExp(`<${element}\\b([^>]*)>(.*?)</${element}>`, 'gs'))
  const inline = [...blocks].filter(
    ([, attributes = '', text]) =>
      text && !/\ssrc=|type="application\/(ld\+)?json"/.test(attributes),
  )
  return [...new Set(inline.map(([, , text = '']) => hash(text)))]
}

/**
 * The policy for a URL that may show these pages: its own origin and the hashes of their inline blocks.
 * One Trusted Types policy may be created: the admin's for the address of its service worker.
 */
export const contentSecurityPolicy = (...pages: readonly string[]): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...inlineHashes(pages.join(''), 'script')].join(' '),
    ["style-src 'self'", ...inlineHashes(pages.join(''), 'style')].join(' '),
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    // The admin shows previews.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types push-worker',
  ].join('; ')
