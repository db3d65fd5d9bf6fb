const numbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine']

/** "Two fields need a look". */
export const fieldCountMessage = (count: number): string =>
  `${numbers[count] ?? count} ${count === 1 ? 'field needs' : 'fields need'} a look`

/** "in 40 seconds", "in 12 minutes": rounded up, so that waiting as told is enough. */
export const waitMessage = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60)
  const [count, unit] = seconds < 60 ? [Math.ceil(seconds), 'second'] : [minutes, 'minute']
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`
}
