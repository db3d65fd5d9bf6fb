import { useQuery } from '@tanstack/react-query'
import { may } from '#contract/http/access.ts'
import { usersQuery } from '../session/users-query.ts'

/** Names of those who may work on a record, and of who has it now. */
export const useAssignable = (current?: string | null): string[] => {
  const { data = [] } = useQuery({ ...usersQuery, staleTime: 60_000 })
  const names = data.filter(({ role }) => may(role, 'records.change')).map((user) => user.username)
  return current && !names.includes(current) ? [current, ...names] : names
}
