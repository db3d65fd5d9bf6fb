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
