import type { Authenticate } from '#server/http/dispatch.ts'

export const authenticate: Authenticate = async () => null
