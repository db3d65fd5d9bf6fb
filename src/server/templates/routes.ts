import * as contract from '#contract/mail/templates.ts'
import { HttpError, orNotFound } from '#server/http/http-error.ts'
import { pathId } from '#server/http/id.ts'
import { type Route, route } from '#server/http/route.ts'
import {
  addTemplate,
  changeTemplate,
  listTemplates,
  removeTemplate,
  templateExists,
} from './store.ts'

export const templateRoutes: Route[] = [
  route(contract.listTemplates, async (_call, { db }) => ({ data: await listTemplates(db) })),
  route(contract.addTemplate, async ({ body, actor }, { db }) => ({
    data: await addTemplate(db, { ...body, kind: body.kind ?? null }, actor),
  })),
  route(
    contract.changeTemplate,
    async ({ params, body, actor }, { db }) => {
      const found = orNotFound(await changeTemplate(db, pathId(params), body, actor))
      if (found.isStale) throw new HttpError('conflict', { data: found.template })
      return { data: found.template }
    },
    { exists: (params, { db }) => templateExists(db, pathId(params)) },
  ),
  route(contract.removeTemplate, async ({ params, actor }, { db }) => {
    orNotFound(await removeTemplate(db, pathId(params), actor))
    return { data: {} }
  }),
]
