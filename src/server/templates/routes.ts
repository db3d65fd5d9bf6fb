import * as contract from '#contract/mail/templates.ts'
import { HttpError, orNotFound, pathId } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import * as store from './store.ts'

export const templateRoutes: Route[] = [
  route(contract.listTemplates, async (_call, { db }) => ({ data: await store.listTemplates(db) })),
  route(contract.addTemplate, async ({ body, actor }, { db }) => ({
    data: await store.addTemplate(db, { ...body, kind: body.kind ?? null }, actor),
  })),
  route(
    contract.changeTemplate,
    async ({ params, body, actor }, { db }) => {
      const found = orNotFound(await store.changeTemplate(db, pathId(params), body, actor))
      if (found.isStale) throw new HttpError('conflict', { data: found.template })
      return { data: found.template }
    },
    { exists: (params, { db }) => store.templateExists(db, pathId(params)) },
  ),
  route(contract.removeTemplate, async ({ params, actor }, { db }) => {
    orNotFound(await store.removeTemplate(db, pathId(params), actor))
    return { data: {} }
  }),
]
