import { useQuery } from '@tanstack/react-query'
import { changeSiteSettings, readSiteSettings, type SiteSettings } from '#contract/site-settings.ts'
import { Choice } from '../components/choice.tsx'
import { LoadFailed } from '../components/load-failed.tsx'
import panel from '../components/panel.module.css'
import { dataQuery, queryClient } from '../session/query-client.ts'
import { ask, sentenceOf } from '../session/session.ts'
import { notify, useAction } from '../shell/notices.tsx'
import { Endpoints } from './endpoints.tsx'
import styles from './programs.module.css'

const switches: readonly (readonly [keyof SiteSettings, label: string, says: string])[] = [
  [
    'agents',
    'Agents',
    'Programs with a token may read and draft by the Model Context Protocol. They send nothing. Say in your privacy page which companies read submissions by them.',
  ],
  [
    'visits',
    'Count visits',
    'How many visits each source brings, without anything that tells one person from another.',
  ],
]

const settingsKey = ['site-settings']

/** Access of other programs, for superusers. */
export function Programs() {
  const { data, error, refetch } = useQuery(dataQuery(settingsKey, readSiteSettings, {}))
  const change = useAction(async (body: Partial<SiteSettings>) => {
    const { data } = await ask(changeSiteSettings, { body })
    queryClient.setQueryData(settingsKey, data)
    notify({ text: 'Saved.' })
  }, 'That was not saved. Please try again.')
  return (
    <>
      <h1 className={panel.title}>Programs</h1>
      <section className={styles.section} aria-labelledby="switches">
        <h2 id="switches">Switches</h2>
        {error && (
          <LoadFailed
            sentence={sentenceOf(error, 'Failed to load the switches.')}
            retry={refetch}
          />
        )}
        {data &&
          switches.map(([name, label, says]) => (
            <Choice
              key={name}
              label={label}
              says={says}
              checked={data[name]}
              aria-disabled={change.isPending}
              onChange={({ target }) => {
                if (!change.isPending) change.mutate({ [name]: target.checked })
              }}
            />
          ))}
      </section>
      <Endpoints />
    </>
  )
}
