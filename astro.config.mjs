import mdx from '@astrojs/mdx'
import react from '@astrojs/react'
import sitemap from '@astrojs/sitemap'
import { defineConfig } from 'astro/config'
import { devApi } from '#host/dev-api.ts'
import { formPages } from '#site/form-pages.ts'

export default defineConfig({
  site: process.env.SITE_URL ?? 'http://127.0.0.1:4321',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  vite: {
    build: {
      // Fonts and drawings stay files of their own; small scripts may stand in the page.
      assetsInlineLimit: (file) => (/\.(woff2|svg)$/.test(file) ? false : undefined),
      // light-dark() stays as written.
      cssTarget: ['chrome125', 'firefox128', 'safari18'],
    },
  },
  // Class names instead of colours in attributes: the policy allows no inline styles.
  markdown: { syntaxHighlight: 'prism' },
  integrations: [
    react(),
    mdx(),
    sitemap({
      // Answers to forms, and variants that name another page as the canonical one.
      filter: (page) => !/\/(admin|thanks|refused|consultation-form\/|apply\/)/.test(page),
    }),
    devApi(),
    formPages(),
  ],
})
