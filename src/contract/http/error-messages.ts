const numbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

/** "Two fields need a look". */
export const fieldCountMessage = (count: number): string =>
  `${numbers[count] ?? count} ${count === 1 ? 'field needs' : 'fields need'} a look`

/** "in 40 seconds", "in 12 minutes", "in 23 hours": rounded up, so that waiting as told is enough. */
export const waitMessage = (seconds: number): string => {
  const [length, unit] =
    seconds < 60 ? [1, 'second'] : seconds <= 3_600 ? [60, 'minute'] : [3_600, 'hour']
  const count = Math.ceil(seconds / length)
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`
}
