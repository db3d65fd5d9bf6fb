import { existsSync } from 'node:fs'
import { isPublic, readPages } from '#site/build/pages.ts'

/**
 * The addresses of all pages of the built site that people are meant to find; a form made ready for
 * one position or service counts as the form. Empty where nothing is built.
 */
export const publicPages = (): string[] =>
  existsSync('dist')
    ? readPages('dist')
        .filter(isPublic)
        .filter(({ path, root }) => {
          const canonical = root.querySelector('link[rel=canonical]')?.getAttribute('href')
          return canonical !== undefined && new URL(canonical).pathname === path
        })
        .map(({ path }) => path)
    : []
