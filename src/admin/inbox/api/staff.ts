import { queryOptions, useQuery } from '@tanstack/react-query'
import { listUsers } from '#contract/accounts/users.ts'
import { may } from '#contract/http/access.ts'
import { ask } from '../../session/session.ts'
import { keys } from './keys.ts'

const staffQuery = queryOptions({
  queryKey: keys.users,
  queryFn: async ({ signal }) => (await ask(listUsers, {}, { signal })).data,
  staleTime: 60_000,
})

/** Names of those who may work on a record, and of who has it now. */
export const useAssignable = (current?: string | null): string[] => {
  const { data = [] } = useQuery(staffQuery)
  const names = data.filter(({ role }) => may(role, 'records.change')).map((user) => user.username)
  return current && !names.includes(current) ? [current, ...names] : names
}
