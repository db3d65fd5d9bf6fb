import { getCollection } from 'astro:content'
import { inOrder } from '#site/in-order.ts'

/** Every service in order, with its own page where it has one, else its place on /services. */
export const getServices = async () => {
  const pages = await getCollection('service-pages')
  return inOrder(await getCollection('services')).map(({ id, data }) => {
    const page = pages.find((entry) => entry.id === id)?.data
    return { id, ...data, page, href: page ? `/services/${id}` : `/services#${id}` }
  })
}
