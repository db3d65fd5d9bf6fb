import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#client/call.ts'
import { type Account, me } from '#contract/accounts/auth.ts'
import { may, type Right } from '#contract/http/access.ts'
import { fetchOrTake } from './early-answers.ts'
import { keepUser, patienceMs, readToken } from './session.ts'

/** The signed-in person, by the server's word; asked again on every change of path. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }): Promise<Account> => {
    // Errors of `ask` lead to this very check, so it uses `call`.
    const { data } = await call(
      me,
      {},
      { signal, token: readToken(), timeoutMs: patienceMs, fetch: fetchOrTake },
    )
    keepUser(data)
    return data
  },
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** The signed-in person. Only for screens inside the guard, which has waited for the answer. */
export const useProfile = (): Account => {
  const { data } = useQuery(profileQuery)
  if (!data) throw new Error('This screen stands outside the guard')
  return data
}

/** True if to draw what a right allows; the server refuses it anyway. */
export const useMay = (right: Right): boolean => may(useProfile().role, right)
