import { entries, entry } from '#site/content.ts'

/** Every service in order, with its own page where it has one, else its place on /services. */
export const getServices = () =>
  entries('services').map(({ id, data }) => {
    const page = entry('service-pages', id)?.data
    return { id, ...data, page, href: page ? `/services/${id}` : `/services#${id}` }
  })
