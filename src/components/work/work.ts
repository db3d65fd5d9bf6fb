import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'

export const getWork = () =>
  entries('work').map(({ id, data }) => ({ ...data, id, href: `/work/${id}` }))

export const hasDrawnWork = (): boolean =>
  !isOff('/work') && entries('work').some(({ data }) => data.plate)
