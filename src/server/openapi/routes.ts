import { openApi } from '#contract/http/openapi.ts'
import { type Route, route } from '#server/http/route.ts'
import { brand, content } from '#site/content.ts'
import { isOff } from '#site/features.ts'
import packageJson from '../../../package.json' with { type: 'json' }

export const openApiRoutes = (routes: readonly Route[]): Route[] => {
  const write = async (): Promise<string> => {
    const { openApiDocument } = await import('./document.ts')
    const endpoints = [...routes.map(({ endpoint }) => endpoint), openApi].filter(
      ({ path }) => !isOff(path),
    )
    const { version } = packageJson
    return JSON.stringify(openApiDocument(endpoints, { title: `${brand().name} API`, version }))
  }
  let written: { of: object; text: Promise<string> } | undefined
  return [
    route(openApi, async () => {
      // Name and features are the live release's.
      const of = content()
      if (written?.of !== of) written = { of, text: write() }
      return new Response(await written.text, {
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
      })
    }),
  ]
}
