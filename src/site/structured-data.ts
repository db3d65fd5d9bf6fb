import type { Value } from '#contract/content/collections.ts'
import { brand } from './content.ts'
import { absolute } from './home.ts'

/** A node of the page's one `@graph`. */
export type GraphNode = Readonly<Record<string, unknown>>

export interface Crumb {
  label: string
  href: string
}

/** The way from home to a page. */
export const crumbsTo = (...steps: readonly (readonly [label: string, href: string])[]): Crumb[] =>
  [['Home', '/'] as const, ...steps].map(([label, href]) => ({ label, href }))

/** The stable id other nodes use to point at the organization. */
export const organizationId = () => absolute('/#organization')

/** The organization within another node. */
export const namedOrganization = (): GraphNode => ({
  '@type': 'Organization',
  '@id': organizationId(),
  name: brand().name,
  url: absolute('/'),
})

export const organization = (): GraphNode => ({
  ...namedOrganization(),
  logo: absolute('/icon-512.png'),
  description: brand().description,
  foundingDate: brand().founded,
  email: brand().contact.email,
  telephone: brand().contact.phone.href.slice('tel:'.length),
  address: {
    '@type': 'PostalAddress',
    streetAddress: brand().contact.address.street,
    addressLocality: brand().contact.address.city,
    addressRegion: brand().contact.address.region,
    postalCode: brand().contact.address.postalCode,
    addressCountry: brand().country,
  },
  ...(brand().social.length > 0 && { sameAs: brand().social.map(({ href }) => href) }),
})

export const website = (): GraphNode => ({
  '@type': 'WebSite',
  '@id': absolute('/#website'),
  url: absolute('/'),
  name: brand().name,
  inLanguage: brand().language,
  publisher: { '@id': organizationId() },
})

export const breadcrumbList = (path: string, crumbs: readonly Crumb[]): GraphNode => ({
  '@type': 'BreadcrumbList',
  '@id': `${absolute(path)}#breadcrumb`,
  itemListElement: crumbs.map(({ label, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: label,
    item: absolute(href),
  })),
})

/** A service as search engines read it; pages that mention it share its id. */
export const service = ({
  name,
  description,
  path,
}: {
  name: string
  description: string
  path: string
}): GraphNode => ({
  '@type': 'Service',
  '@id': absolute(path.includes('#') ? path : `${path}#service`),
  name,
  serviceType: name,
  description,
  url: absolute(path),
  provider: namedOrganization(),
})

interface Work extends Pick<Value<'work'>, 'title' | 'description' | 'technologies'> {
  path: string
  /** The day of its figure, `YYYY-MM-DD`, UTC. */
  day?: string | undefined
}

/** A case or study as search engines read it. */
export const creativeWork = ({ title, description, path, technologies, day }: Work): GraphNode => ({
  '@type': 'CreativeWork',
  '@id': absolute(`${path}#work`),
  name: title,
  description,
  url: absolute(path),
  keywords: technologies.join(', '),
  ...(day && { dateModified: day }),
  creator: namedOrganization(),
})

export const itemList = (
  id: string,
  items: readonly { title: string; href: string }[],
): GraphNode => ({
  '@type': 'ItemList',
  '@id': absolute(id),
  itemListElement: items.map(({ title, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    url: absolute(href),
  })),
})

interface Job
  extends Omit<Value<'positions'>, 'tag' | 'type' | 'length' | 'pay' | 'start' | 'sample'> {
  value: string
  /** The last UTC day for applications, if there is one. */
  closesAt?: string | undefined
}

const dayMs = 24 * 60 * 60 * 1000

/** The moment after a UTC day, in ISO 8601. */
const endOfDay = (day: string) => new Date(Date.parse(day) + dayMs).toISOString()

/** The description is HTML, and a document's text is not. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const listOf = (items: readonly string[]) =>
  `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`

/** An open position, with all properties that search engines require and the page shows. */
export const jobPosting = (path: string, job: Job): GraphNode => ({
  '@type': 'JobPosting',
  '@id': `${absolute(path)}#job`,
  title: job.title,
  description: [
    `<p>${escaped(job.summary)}</p>`,
    `<p>What you do</p>${listOf(job.duties)}`,
    `<p>What you bring</p>${listOf(job.requirements)}`,
  ].join(''),
  identifier: { '@type': 'PropertyValue', name: brand().name, value: job.value },
  url: absolute(path),
  datePosted: job.posted,
  ...(job.closesAt && { validThrough: endOfDay(job.closesAt) }),
  employmentType: job.employment,
  industry: job.department,
  workHours: job.hours,
  ...(job.remote
    ? {
        jobLocationType: 'TELECOMMUTE',
        applicantLocationRequirements: { '@type': 'Country', name: job.country },
      }
    : {
        jobLocation: {
          '@type': 'Place',
          address: {
            '@type': 'PostalAddress',
            addressLocality: job.location,
            addressCountry: job.country,
          },
        },
      }),
  directApply: true,
  hiringOrganization: {
    '@type': 'Organization',
    '@id': organizationId(),
    name: brand().name,
    sameAs: absolute('/'),
    logo: absolute('/icon-512.png'),
  },
})

/** The page's JSON-LD document; `<` is escaped because text could close the script element. */
export const graph = (nodes: readonly GraphNode[]) =>
  JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes }).replaceAll('<', '\\u003c')
