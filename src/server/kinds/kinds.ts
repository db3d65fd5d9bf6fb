import type { KindPath } from '#contract/inbox.ts'
import { isOff } from '#site/features.ts'
import { applications } from './applications.ts'
import { consultations } from './consultations.ts'
import { contacts } from './contacts.ts'
import type { Kind } from './kind.ts'

export const kindByPath: Readonly<Record<KindPath, Kind>> = {
  consultations,
  applications,
  contacts,
}

/** Every kind of submission, in the order of the dashboard. */
export const kinds: readonly Kind[] = Object.values(kindByPath)

/** The kinds that staff see: those of a part that is switched off have no screen and no list. */
export const shownKinds = (): readonly Kind[] => kinds.filter(({ path }) => !isOff(`/api/${path}`))
