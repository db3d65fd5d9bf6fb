/** Words about refusals, said alike by the forms' script and by the pages that the server answers with. */

const counts = ['No field needs', 'One field needs', 'Two fields need', 'Three fields need']

/** "Two fields need a look". */
export const countWords = (count: number): string =>
  `${counts[count] ?? `${count} fields need`} a look`

/** "in 40 seconds", "in 12 minutes": rounded up, so that waiting as told is enough. */
export const waitWords = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60)
  const [count, unit] = seconds < 60 ? [Math.ceil(seconds), 'second'] : [minutes, 'minute']
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`
}
