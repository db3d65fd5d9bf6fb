import { createStore } from '../../browser/store.ts'
import { onSignedOut } from '../../session/session.ts'

/** Scores that were begun, by record: they stay while others are looked at, as long as this page is open. */

export interface ScoreDraft {
  criteria: Readonly<Record<string, number>>
  comment: string
}

type Stored = { criteria: Readonly<Record<string, number>>; comment: string | null } | null

const drafts = createStore<ReadonlyMap<string, ScoreDraft>>(new Map())

const draftOf = (all: ReadonlyMap<string, ScoreDraft>, id: string, stored: Stored): ScoreDraft =>
  all.get(id) ?? { criteria: stored?.criteria ?? {}, comment: stored?.comment ?? '' }

export const readScore = (id: string, stored: Stored): ScoreDraft =>
  draftOf(drafts.get(), id, stored)

/** What was begun, or what is stored. */
export const useScoreDraft = (id: string, stored: Stored): ScoreDraft =>
  draftOf(drafts.use(), id, stored)

export const writeScore = (id: string, draft: ScoreDraft): void =>
  drafts.set(new Map([...drafts.get(), [id, draft]]))

export const forgetScore = (id: string): void =>
  drafts.set(new Map([...drafts.get()].filter(([other]) => other !== id)))

onSignedOut(() => drafts.set(new Map()))
