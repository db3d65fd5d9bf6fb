/** A piece of a text beside the one that it was made of. */
interface Piece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s]+/gu) ?? []

/** Texts beyond this are compared as wholes: the comparison takes time by the product of their words. */
const MOST_CELLS = 4_000_000

/** A person's changes of a text, by words. */
export const editsOf = (before: string, after: string): Piece[] => {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length * now.length > MOST_CELLS)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  // The length of the longest common sequence of what follows.
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (i: number, j: number): number => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pieces: Piece[] = []
  const add = (kind: Piece['kind'], text = ''): void => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else pieces.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      add('same', old[i])
      i += 1
      j += 1
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      add('removed', old[i])
      i += 1
    } else {
      add('added', now[j])
      j += 1
    }
  }
  return pieces
}

/** True if a text was made of another one: they have at least half of its words in common. */
export const isMadeOf = (before: string, pieces: readonly Piece[]): boolean => {
  const kept = pieces.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0)
  return kept * 2 >= before.length
}
