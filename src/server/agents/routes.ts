import { dropAgentDraft, dropProposal, mcp } from '#contract/programs/agents.ts'
import { findSiteSettings } from '#server/db/site-settings.ts'
import { orNotFound, pathId } from '#server/http/http-error.ts'
import { type Route, route } from '#server/http/route.ts'
import { type Agent, removeDraft, removeProposal } from './store.ts'

/** @param routes the calls that the tools make */
export const agentRoutes = (routes: readonly Route[]): Route[] => [
  route(
    mcp,
    async ({ body, actor, request }, deps) => {
      const { answerMcp } = await import('./server.ts')
      return answerMcp(request.headers, body, { agent: actor as Agent, deps, request, routes })
    },
    {
      isOn: async ({ db }) => (await findSiteSettings(db)).agents,
    },
  ),
  route(dropAgentDraft, async ({ params, actor }, { db }) => {
    orNotFound(await removeDraft(db, actor, pathId(params)))
    return { data: {} }
  }),
  route(dropProposal, async ({ params, actor }, { db }) => {
    orNotFound(await removeProposal(db, actor, pathId(params)))
    return { data: {} }
  }),
]
