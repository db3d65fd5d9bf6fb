import { createStore } from '../../browser/store.ts'
import { onSignedOut } from '../../session/session.ts'

/** Scores that were begun, by person and record: they stay while others are looked at, as long as this page is open. */

export interface ScoreDraft {
  criteria: Readonly<Record<string, number>>
  comment: string
}

type Stored = { criteria: Readonly<Record<string, number>>; comment: string | null } | null

const drafts = createStore<ReadonlyMap<string, ScoreDraft>>(new Map())

const draftOf = (all: ReadonlyMap<string, ScoreDraft>, key: string, stored: Stored): ScoreDraft =>
  all.get(key) ?? { criteria: stored?.criteria ?? {}, comment: stored?.comment ?? '' }

export const readScore = (key: string, stored: Stored): ScoreDraft =>
  draftOf(drafts.get(), key, stored)

/** The draft, else the stored score. */
export const useScoreDraft = (key: string, stored: Stored): ScoreDraft =>
  draftOf(drafts.use(), key, stored)

export const writeScore = (key: string, draft: ScoreDraft): void =>
  drafts.set(new Map([...drafts.get(), [key, draft]]))

export const forgetScore = (key: string): void =>
  drafts.set(new Map([...drafts.get()].filter(([other]) => other !== key)))

onSignedOut(() => drafts.set(new Map()))
