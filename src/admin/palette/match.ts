/** The place of a query in a text. */
export interface Match {
  /** The higher, the better: whole words before their beginnings, these before any other place. */
  score: number
  /** Indexes of the text's characters that match, ascending. */
  at: readonly number[]
}

/** Case and accents are removed character by character, so that indexes stay. */
const folded = (character: string): string =>
  character.normalize('NFD').charAt(0).toLowerCase() || character

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

const run = (from: number, length: number): number[] =>
  Array.from({ length }, (_, index) => from + index)

/** One word of a query: as a beginning, within, or as letters in their order. */
const findWord = (word: string[], text: string[]): Match | null => {
  const starts = text.flatMap((character, at) =>
    isLetter(character) && !isLetter(text[at - 1]) ? [at] : [],
  )
  const stands = (at: number) => word.every((character, index) => text[at + index] === character)
  const start = starts.find(stands)
  if (start !== undefined) {
    const isWhole = !isLetter(text[start + word.length])
    return { score: (isWhole ? 5 : 3) + (start === 0 ? 1 : 0), at: run(start, word.length) }
  }
  const within = text.findIndex((_, at) => stands(at))
  if (within >= 0) return { score: 2, at: run(within, word.length) }
  return findLetters(word, text, starts)
}

/** The word's letters in their order, at beginnings of words wherever that goes: `mc` in Mark as Contacted. */
const findLetters = (word: string[], text: string[], starts: number[]): Match | null => {
  const at: number[] = []
  for (const letter of word) {
    const after = at.at(-1) ?? -1
    const next = after + 1
    const place =
      after >= 0 && text[next] === letter
        ? next
        : (starts.find((start) => start > after && text[start] === letter) ?? -1)
    if (place < 0) return null
    at.push(place)
  }
  return { score: 1, at }
}

/** Finds every word of a query in a text; null where one is missing. An empty query is found everywhere. */
export const match = (query: string, text: string): Match | null => {
  const characters = Array.from(text, folded)
  let score = 0
  const at = new Set<number>()
  for (const word of query.split(/\s+/).filter(Boolean)) {
    const found = findWord(Array.from(word, folded), characters)
    if (!found) return null
    score += found.score
    for (const index of found.at) at.add(index)
  }
  return { score, at: [...at].sort((a, b) => a - b) }
}

/** Other words that people type for the admin's terms. */
const synonyms: readonly (readonly [label: RegExp, words: string])[] = [
  [/\blater\b/i, 'snooze postpone remind'],
  [/\bmark as\b/i, 'set status'],
  [/\breply\b/i, 'answer respond'],
  [/\bnote\b/i, 'comment'],
  [/\bassign\b/i, 'owner give'],
  [/\bdelete\b/i, 'remove trash bin'],
  [/\bspam\b/i, 'junk'],
  [/\btemplates?\b/i, 'saved answers snippets'],
  [/\bviews?\b/i, 'filter bookmark'],
  [/\bapplications\b/i, 'applicants candidates'],
  [/\busers\b/i, 'staff team colleagues'],
  [/\baccount\b/i, 'profile password passkey'],
  [/\bmail\b/i, 'email outbox'],
  [/\bprivacy\b/i, 'personal data erase export'],
  [/\brun\b/i, 'late due queue'],
  [/\bkeys\b/i, 'keyboard shortcuts hotkeys'],
  [/\b(?:light|dark)\b/i, 'theme colours mode'],
  [/\blogout\b/i, 'sign out exit'],
]

/** Shorter beginnings would find too much. */
const leastLetters = 3

/** True if every word of a query begins another word for a label. */
export const isSynonym = (query: string, label: string): boolean => {
  const words = synonyms.flatMap(([known, others]) => (known.test(label) ? others.split(' ') : []))
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((typed) => typed.length >= leastLetters && words.some((word) => word.startsWith(typed)))
}
