import { failureOf, json } from '#server/http/answer.ts'
import type { RefusalPage } from '#server/http/dispatch.ts'

export const refusalPage: RefusalPage = async (refusal, { requestId }) =>
  json(refusal.status, failureOf(refusal, requestId))
