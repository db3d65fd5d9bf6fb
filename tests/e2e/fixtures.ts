import { randomInt } from 'node:crypto'
import { test as base } from '@playwright/test'

export { expect } from '@playwright/test'
export { superuser } from './superuser.ts'

/** Playwright's `test`, each from a client address of its own, so that limits don't add up. */
export const test = base.extend({
  extraHTTPHeaders: async ({}, use) => {
    const part = () => randomInt(1, 255)
    await use({ 'x-forwarded-for': `10.${part()}.${part()}.${part()}` })
  },
})
