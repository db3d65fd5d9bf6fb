import * as contract from '#contract/privacy/calls.ts'
import { type Route, route } from '#server/http/route.ts'
import { blindReader } from '#server/kinds/store/hidden.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './store/person.ts'
import { previewRetention } from './store/retention.ts'

export const privacyRoutes: Route[] = [
  route(contract.exportPerson, async ({ body, actor, request }, deps) => {
    const data = await exportPerson(deps, body.email, actor)
    request.afterResponse(deps.deliver())
    return { data }
  }),
  route(contract.erasePerson, async ({ body, actor, request }, deps) => {
    const { counts: data, templates } = await erasePerson(deps, body.email, actor)
    request.afterResponse(deps.deliver())
    return { data, meta: { templates } }
  }),
  route(contract.retentionPreview, async (call, deps) => ({
    data: await previewRetention(deps.db, blindReader(call)),
  })),
]
