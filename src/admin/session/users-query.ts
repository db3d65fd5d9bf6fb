import { queryOptions } from '@tanstack/react-query'
import { listUsers } from '#contract/accounts/users.ts'
import { ask } from './session.ts'

/** All accounts, oldest first. */
export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) => (await ask(listUsers, {}, { signal })).data,
})
