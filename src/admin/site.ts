import type { AdminFacts } from '#contract/content/admin-facts.ts'
import { type KindPath, kindPaths } from '#contract/inbox.ts'

const read = (): AdminFacts => {
  const text = typeof document === 'undefined' ? null : document.getElementById('site')?.textContent
  return JSON.parse(text ?? '{"positions":[],"services":[]}')
}

/** Facts of the site for the admin: the shell carries them (`pages/admin/[...path].astro`). */
export const site = read()

/** True if a screen or a kind of record belongs to a part that is switched off. */
export const isOff = (path: string): boolean =>
  path.endsWith('applications') && site.features?.careers === false

export const shownKinds: readonly KindPath[] = kindPaths.filter((kind) => !isOff(kind))

/** The short form of a choice; its last name where the site has it no more. */
export const tagOf = (named: AdminFacts['positions'], id: string, label: string): string =>
  named.find((one) => one.id === id)?.tag ?? label

export const labelOf = (named: AdminFacts['positions'], id: string): string =>
  named.find((one) => one.id === id)?.label ?? id
