import { type QueryKey, queryOptions } from '@tanstack/react-query'
import type { CallInput } from '#client/call.ts'
import type { Endpoint, OutputOf } from '#contract/http/endpoint.ts'
import { ask } from './session.ts'

type DataOf<E> = OutputOf<E> extends { data: infer Data } ? Data : never

/** The query for the data of a call, without what its answer says beside them. */
export const dataQuery = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input: CallInput<E>,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<DataOf<E>> => {
      const answer: unknown = await ask(endpoint, input, { signal })
      return (answer as { data: DataOf<E> }).data
    },
  })
