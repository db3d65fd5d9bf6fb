import type { Page } from '@playwright/test'

/** URLs of the scripts that the page requests from now on. */
export const scriptsOf = (page: Page): Set<string> => {
  const asked = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.add(new URL(request.url()).pathname)
  })
  return asked
}

/** URLs of the scripts for which the page's markup has a hash. */
export const pinned = (page: Page) =>
  page.evaluate(() => {
    const map = document.querySelector('script[type=importmap]')?.textContent ?? '{}'
    const files = [...document.querySelectorAll<HTMLScriptElement>('script[src][integrity]')]
    return [
      ...Object.keys(JSON.parse(map).integrity ?? {}),
      ...files.map(({ src }) => new URL(src).pathname),
    ]
  })
