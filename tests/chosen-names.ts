/**
 * Chooses from `known`, in its order: the names on the command line, or all. `--help` and an unknown
 * name end the process with the list.
 *
 * @param usage `npm run NAME` with its words.
 */
export function chosenNames(
  usage: string,
  known: readonly string[],
  words: readonly string[] = process.argv.slice(2),
): readonly string[] {
  const unknown = words.filter((word) => !known.includes(word))
  if (unknown.length === 0)
    return known.filter((name) => words.length === 0 || words.includes(name))
  const asksForHelp = unknown.includes('--help')
  if (!asksForHelp) console.error(`Unknown: ${unknown.join(', ')}`)
  console.log(`Usage: ${usage}\nNames: ${known.join(', ')}`)
  process.exit(asksForHelp ? 0 : 1)
}
