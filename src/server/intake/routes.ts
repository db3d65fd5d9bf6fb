import type { Endpoint } from '#contract/http/endpoint.ts'
import { type Route, route } from '#server/http/route.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { type Submitted, submit } from './submit.ts'

export const intakeRoutes: Route[] = kinds.map((kind) =>
  route(kind.submit as Endpoint, async ({ body, request }, deps) => {
    const { status, ...receipt } = await submit(kind, body as Submitted, request, deps)
    if (request.isForm)
      return new Response(null, { status: 303, headers: { Location: `/thanks/${kind.path}` } })
    // A message goes through no stages that its sender would hear of.
    return { data: kind.asksConsent ? { ...receipt, status } : receipt }
  }),
)
