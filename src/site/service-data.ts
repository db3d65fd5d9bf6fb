import { brand } from './content.ts'
import { type GraphNode, organizationId } from './structured-data.ts'

/** A service as search engines read it; pages that mention it share its id. */
export const service = (
  site: URL,
  { name, description, path }: { name: string; description: string; path: string },
): GraphNode => ({
  '@type': 'Service',
  '@id': new URL(path.includes('#') ? path : `${path}#service`, site).href,
  name,
  serviceType: name,
  description,
  url: new URL(path, site).href,
  provider: {
    '@type': 'Organization',
    '@id': organizationId(site),
    name: brand().name,
    url: new URL('/', site).href,
  },
})
