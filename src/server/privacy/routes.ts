import * as contract from '#contract/privacy.ts'
import { type Route, route } from '#server/http/route.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './store/person.ts'
import { previewRetention } from './store/retention.ts'

export const privacyRoutes: Route[] = [
  route(contract.exportPerson, async ({ body, actor }, deps) => ({
    data: await exportPerson(deps, body.email, actor),
  })),
  route(contract.erasePerson, async ({ body, actor }, deps) => ({
    data: await erasePerson(deps, body.email, actor),
  })),
  route(contract.retentionPreview, async (_call, { db }) => ({ data: await previewRetention(db) })),
]
