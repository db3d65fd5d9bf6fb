import { useQuery } from '@tanstack/react-query'
import { listUsers } from '#contract/accounts/users.ts'
import { may } from '#contract/http/access.ts'
import { dataQuery } from './query-client.ts'

export const usersQuery = dataQuery(['users'], listUsers, {})

/** Names of those who may work on a record, and of who has it now. */
export const useAssignable = (current?: string | null): string[] => {
  const { data = [] } = useQuery({ ...usersQuery, staleTime: 60_000 })
  const names = data.filter(({ role }) => may(role, 'records.change')).map((user) => user.username)
  return current && !names.includes(current) ? [current, ...names] : names
}
