import { queryOptions } from '@tanstack/react-query'
import { readSettings } from '#contract/accounts/settings.ts'
import { ask } from './session.ts'

/** The signed-in person's own settings. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) => (await ask(readSettings, {}, { signal })).data,
})
