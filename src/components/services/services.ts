import { entries, entry, withPrices } from '#site/content.ts'

/** Every service in order, with its own page where it has one, else its place on /services. */
export const getServices = () =>
  entries('services').map(({ id, data }) => {
    const page = entry('service-pages', id)?.data
    const { text, sample } = page?.price ?? { text: data.price }
    const price = text && { text: withPrices(text), sample }
    return { id, ...data, price, page, href: page ? `/services/${id}` : `/services#${id}` }
  })
