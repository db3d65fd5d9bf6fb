import { entries, entry, withPrices } from '#site/content.ts'

/** Every service in order, with its own page where it has one, else its place on /services. */
export const getServices = () =>
  entries('services').map(({ id, data }) => {
    const page = entry('service-pages', id)?.data
    const price = page?.price ?? (data.price && { text: withPrices(data.price) })
    return { id, ...data, price, page, href: page ? `/services/${id}` : `/services#${id}` }
  })
