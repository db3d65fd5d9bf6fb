import { entries } from '#site/content.ts'
import { isOff } from '#site/features.ts'

/** Cases and studies in order, each with its address. */
export const getWork = () =>
  entries('work').map(({ id, data }) => ({ ...data, id, href: `/work/${id}` }))

/** True if there is work to show by its drawing. */
export const hasDrawnWork = (): boolean =>
  !isOff('/work') && entries('work').some(({ data }) => data.plate)
