import { automatic } from './automatic.ts'
import type { CorpusMail, Place } from './corpus.ts'
import { recipients } from './recipients.ts'
import { replies } from './replies.ts'
import { strangers } from './strangers.ts'
import { structures } from './structures.ts'
import { texts } from './texts.ts'

/** Every mail of the corpus, in the order in which they arrive. */
export const corpus = (place: Place): CorpusMail[] =>
  [replies, recipients, automatic, texts, structures, strangers].flatMap((part) => part(place))
