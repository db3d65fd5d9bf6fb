import { changeSettings, readSettings, type Settings } from '#contract/accounts/settings.ts'
import { dataQuery, queryClient } from './query-client.ts'
import { askOnce } from './session.ts'

export const settingsQuery = dataQuery(['settings'], readSettings, {})

/** Shows and saves some of the settings. A read that began before does not bring the old ones back. */
export async function saveSettings(given: Partial<Settings>): Promise<void> {
  const { queryKey } = settingsQuery
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, (known) => known && { ...known, ...given })
  try {
    await askOnce(changeSettings, { body: given })
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
  } finally {
    await queryClient.invalidateQueries({ queryKey })
  }
}
