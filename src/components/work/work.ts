import { entries } from '#site/content.ts'

/** Cases and studies in order, each with its address. */
export const getWork = () =>
  entries('work').map(({ id, data }) => ({ ...data, id, href: `/work/${id}` }))
