/** The number of samples in a document: records of the content that say so, and marked words of a text. */
export const samplesIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const own =
    ('sample' in value && value.sample === true) || ('type' in value && value.type === 'sample')
  return Object.values(value).reduce((sum, part) => sum + samplesIn(part), own ? 1 : 0)
}
