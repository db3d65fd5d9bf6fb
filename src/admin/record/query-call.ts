import type { QueryFunctionContext } from '@tanstack/react-query'
import type { CallOptions } from '#client/call.ts'

/**
 * Options of a call that a query makes. Fetching again what is already shown is polling: it does not
 * count as use of the session.
 */
export const queryCall = ({ client, queryKey, signal }: QueryFunctionContext): CallOptions => ({
  signal,
  background: client.getQueryData(queryKey) !== undefined,
})
