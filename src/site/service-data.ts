import { type GraphNode, namedOrganization } from './structured-data.ts'

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
  provider: namedOrganization(site),
})
