import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'
import { devApi } from '#host/dev-api.ts'
import { readEnvironment } from '#host/environment.ts'
import { readBenchResults } from '#site/bench-results.ts'
import { clientDirectives } from '#site/build/client-directives.ts'
import { documents } from '#site/build/documents.ts'
import { finish } from '#site/build/integration.ts'
import { lastModified } from '#site/build/last-modified.ts'
import { devRewrites, queryRewrites } from '#site/build/redirects.ts'
import { renderer } from '#site/build/renderer.ts'
import { withoutSchemas } from '#site/build/without-schemas.ts'
import { isOff } from '#site/features.ts'
import { pagePath } from '#site/page-path.ts'
import { samples } from '#site/samples.ts'

const modified = lastModified(import.meta.dirname)
const variants = new Set(queryRewrites().map(({ to }) => to))
// Not: staff screens, answers to forms, variants that name another page as the canonical one.
const isListed = (path) =>
  !isOff(path) &&
  !/^\/(admin|thanks|refused|status|plan|404)(\/|$)/.test(path) &&
  !variants.has(path)

const { SITE_URL, NETLIFY, URL: netlifyUrl, ...env } = readEnvironment()
const HOST = env.HOST || '127.0.0.1'
const PORT = env.PORT || '4321'

export default defineConfig({
  // As the host reads it: its own address where nothing else is said, Netlify's where it builds.
  site:
    SITE_URL ||
    (NETLIFY && netlifyUrl) ||
    `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`,
  server: { port: Number(PORT) },
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  vite: {
    plugins: [withoutSchemas()],
    // Facts of the build, for pages that are rendered again where there are no sources.
    define: {
      BUILT_SAMPLES: JSON.stringify(samples),
      BUILT_BENCH: JSON.stringify(readBenchResults()),
    },
    build: {
      // Fonts and drawings stay files of their own; small scripts may stand in the page.
      assetsInlineLimit: (file) => (/\.(woff2|svg)$/.test(file) ? false : undefined),
      // light-dark() stays as written.
      cssTarget: ['chrome125', 'firefox128', 'safari18'],
    },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // What all islands need in one file: each costs a request, and a hash in every page.
              codeSplitting: {
                groups: [
                  {
                    name: 'common',
                    test: /node_modules\/(react|react-dom|scheduler)\/|src\/(client|contract\/(limits|positions|reference|services)|ui\/(icons?|button|field)\.)/,
                  },
                  // The forms of the site, whose checks and summary the admin's forms share.
                  { name: 'form', test: /src\/ui\/(error-summary|form\/)/ },
                  // What several screens of the admin need, with what it needs itself: one file, not thirty.
                  {
                    name: 'admin',
                    // Not what only dialogs, forms, tables and open records share: no screen needs it at first.
                    test: /node_modules\/@tanstack\/(?!.*[iI]nfinite)|src\/admin\/(?!saved-views|account|auth|dashboard|programs|times|offers|session\/(passkey|factors|step-up|users-query)|shell\/copy-text|components\/(checked-form|conflict|dialog|form|load-states|segments|table|panel)|router\/use-parameter|record\/(actions|composer|conversation|facts|snooze))/,
                    minShareCount: 3,
                  },
                  // Shared by the forms and tables of later screens.
                  {
                    name: 'desk',
                    test: /src\/admin\/(shell\/copy-text|components\/(checked-form|dialog|form|load-states|segments|table|panel)|router\/use-parameter)/,
                  },
                  // Talks and offers: no record needs them before it is open.
                  {
                    name: 'talks',
                    test: /src\/(admin\/(times|offers)\/|contract\/(times|offers|money)\.)/,
                  },
                  // The inbox's screen with all that it needs at once, also where the run needs it too.
                  { name: 'inbox', test: /src\/admin\/inbox\/screens/ },
                ],
              },
            },
          },
        },
      },
    },
  },
  // Class names instead of colours in attributes: the policy allows no inline styles.
  markdown: { syntaxHighlight: 'prism' },
  integrations: [
    react(),
    clientDirectives(),
    mdx(),
    sitemap({
      filter: (page) => isListed(pagePath(new URL(page).pathname)),
      serialize: (item) => {
        const lastmod = modified(pagePath(new URL(item.url).pathname))
        return lastmod ? { ...item, lastmod } : item
      },
    }),
    devApi(),
    devRewrites(),
    renderer(),
    documents(),
    finish(),
  ],
})
