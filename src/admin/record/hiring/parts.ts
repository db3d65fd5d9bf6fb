import { AnswerBy } from './answer-by.tsx'
import { BlindNote } from './blind-note.tsx'
import { Decide } from './decide.tsx'
import { Scorecard } from './scorecard.tsx'
import { Track } from './track.tsx'

/** What the pane of an application has beside that of any record. */
export const parts = { AnswerBy, BlindNote, Decide, Scorecard, Track }
