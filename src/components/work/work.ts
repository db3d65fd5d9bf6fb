import { getCollection } from 'astro:content'
import { inOrder } from '#site/in-order.ts'

/** Cases and studies in order, each with its address. */
export const getWork = async () =>
  inOrder(await getCollection('work')).map(({ id, data }) => ({
    ...data,
    id,
    href: `/work/${id}`,
  }))
