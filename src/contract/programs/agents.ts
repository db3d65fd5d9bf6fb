import * as z from 'zod/mini'
import { id, isoTimestamp } from '#contract/fields.ts'
import { endpoint } from '#contract/http/endpoint.ts'

/** Agents: programs that read and draft by the Model Context Protocol, and never send. */

export const mcp = endpoint('POST /api/mcp', {
  summary:
    'Tools for agents by the Model Context Protocol, with a token; a 404 while agents are off',
  access: 'records.read',
  scope: 'any',
  tokenOnly: true,
  body: z.unknown(),
  output: z.unknown(),
  produces: 'application/json',
})

/** A text that an agent wrote for a record: staff see it in the composer, and send it or not. */
export const agentDraft = z.object({
  _id: id,
  text: z.string(),
  at: isoTimestamp,
  by: z.nullable(z.string()),
  token: z.string(),
})
export type AgentDraft = z.output<typeof agentDraft>

export const proposal = z.object({
  status: z.string(),
  why: z.string(),
  by: z.nullable(z.string()),
  token: z.string(),
  at: isoTimestamp,
})
export type Proposal = z.output<typeof proposal>

export const dropAgentDraft = endpoint('DELETE /api/drafts/:id', {
  summary: 'Drop what an agent drafted',
  access: 'records.change',
})

export const dropProposal = endpoint('DELETE /api/proposals/:id', {
  summary: 'Drop the status that an agent proposes for a record of this id',
  access: 'records.change',
})
