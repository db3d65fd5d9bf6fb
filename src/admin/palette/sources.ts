import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type KindPath, withoutHalves } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { useTheme } from '../browser/theme.ts'
import { hashOf } from '../inbox/list/inbox-url.ts'
import { dueLabel } from '../record/clock/due-label.ts'
import { isLate } from '../record/clock/promise.ts'
import { statusView } from '../record/kinds/kind-view.ts'
import { views } from '../record/kinds/views.ts'
import { listRecords } from '../record/list-records.ts'
import { detailQuery } from '../record/read-record.ts'
import type { InboxRecord } from '../record/record.ts'
import { navigate, useLocation } from '../router/location.ts'
import { savedLink, savedViewsQuery } from '../saved-views/queries.ts'
import type { ListedScreen } from '../screens.ts'
import { useMay, useProfile } from '../session/profile.ts'
import { onSignedOut } from '../session/session.ts'
import { leave } from '../shell/logout-button.tsx'
import { inboxAt, mayOpen, useScreens } from '../shell/navigation.ts'
import { openOverlay } from '../shell/overlay.ts'
import { commandGroups, switchShortcuts, useShortcutsAreOn } from '../shell/shortcuts.tsx'
import { shownKinds } from '../site.ts'
import type { Entry, Group } from './entry.ts'
import { match } from './match.ts'

/** Actions on the open record or selection, as it was when the palette was opened. */
export const useActions = (): Group[] =>
  useState(() =>
    [...commandGroups()].map(([title, commands], group) => ({
      title,
      entries: commands.map(({ key, ...command }, at) => ({
        ...command,
        id: `do:${group}:${at}`,
        ...(key ? { keys: [key] } : {}),
      })),
    })),
  )[0]

/** Leaves out the sign-in, and a second path to the dashboard. */
const isPlace = ({ path, right }: ListedScreen) => right !== 'public' && path !== '/admin'

export const usePlaces = (): Group => {
  const { role } = useProfile()
  return {
    title: 'Places',
    entries: useScreens()
      .filter((screen) => isPlace(screen) && mayOpen(role, screen))
      .map(({ path, label, icon = 'arrow', key }) => ({
        id: `go:${path}`,
        isPlace: true,
        label,
        icon,
        ...(key && { keys: ['g', key] }),
        run: () => navigate({ to: path }),
      })),
  }
}

const saveView: Entry = {
  id: 'do:save-view',
  label: 'Save this view',
  icon: 'tray',
  keys: ['s'],
  run: () => openOverlay('save-view'),
}

export const useViewEntries = (): Group => {
  const { data: saved = [] } = useQuery(savedViewsQuery)
  const isInList = useLocation(({ path }) => inboxAt(path) !== undefined)
  const tabs = shownKinds.flatMap((kind): Entry[] =>
    views[kind].statuses.map(({ value, label }) => ({
      id: `view:${kind}:${value}`,
      isPlace: true,
      label: `${label} ${views[kind].nouns}`,
      icon: 'tray',
      run: () => navigate({ to: `/admin/${kind}`, search: { status: value } }),
    })),
  )
  return {
    title: 'Views',
    entries: [
      ...(isInList ? [saveView] : []),
      ...saved.map(
        (view): Entry => ({
          id: `view:${view._id}`,
          isPlace: true,
          label: view.name,
          detail: views[view.kind].title + (view.own ? '' : `, shared by ${view.by ?? 'staff'}`),
          icon: 'tray',
          run: () => navigate(savedLink(view)),
        }),
      ),
      ...tabs,
    ],
  }
}

const editTemplates: Entry = {
  id: 'set:templates',
  label: 'Templates',
  icon: 'reply',
  run: () => openOverlay('templates'),
}

export const useSettings = (): Group => {
  const mayEdit = useMay('records.change')
  const { theme, toggle } = useTheme()
  const keysAreOn = useShortcutsAreOn()
  return {
    title: 'Settings',
    entries: [
      ...(mayEdit ? [editTemplates] : []),
      {
        id: 'set:views',
        label: 'Edit saved views',
        icon: 'tray',
        run: () => openOverlay('views'),
      },
      {
        id: 'set:theme',
        label: theme === 'dark' ? 'Switch to light' : 'Switch to dark',
        icon: theme === 'dark' ? 'sun' : 'moon',
        run: toggle,
      },
      {
        id: 'set:keys',
        label: 'All keys',
        icon: 'keys',
        keys: ['?'],
        run: () => openOverlay('keys'),
      },
      {
        id: 'set:shortcuts',
        label: keysAreOn ? 'Turn single keys off' : 'Turn single keys on',
        icon: 'keys',
        run: () => switchShortcuts(!keysAreOn),
      },
      { id: 'set:logout', label: 'Logout', icon: 'out', run: leave },
    ],
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const recordEntry = (kind: KindPath, record: InboxRecord): Entry => {
  const view = views[kind]
  const status = statusView(view, record.status)
  const now = Date.now()
  return {
    id: `record:${kind}:${record._id}`,
    isPlace: true,
    label: record.name,
    detail: `${capital(view.noun)}, ${status.label.toLowerCase()}, ${dueLabel(record, now).text}`,
    mark: isLate(record, now) ? 'late' : status.stage,
    run: () => navigate({ to: `/admin/${kind}`, search: { id: record._id } }),
  }
}

/** As long as a search may be. */
const searchText = (text: string): string => withoutHalves(text.slice(0, limits.search))

/** Fewer letters find too many people. */
const leastLetters = 2
const peoplePerKind = 4
/** The search finds texts, too: of this many records, those are shown whose name or address matches. */
const searchedPerKind = 20

/** Records whose name or address matches; where there are none, those whose text does. */
const preferNames = (query: string, records: readonly InboxRecord[]): readonly InboxRecord[] => {
  const named = records.filter(({ name, email }) => match(query, name) ?? match(query, email ?? ''))
  return named.length > 0 ? named : records
}

/** People by the server's search. The text stands in the body of the call, and the answers in memory alone. */
export const usePeople = (text: string): Group & { isLoading: boolean } => {
  const query = searchText(text)
  const enabled = query.length >= leastLetters
  const answers = useQueries({
    queries: shownKinds.map((kind) => ({
      queryKey: ['palette', kind, query],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { data } = await listRecords(kind, { q: query, limit: searchedPerKind }, { signal })
        return preferNames(query, data)
          .slice(0, peoplePerKind)
          .map((record) => recordEntry(kind, record))
      },
      enabled,
      gcTime: 30_000,
      staleTime: 30_000,
    })),
  })
  return {
    title: 'People',
    entries: answers.flatMap(({ data = [] }) => data),
    isLoading: enabled && answers.some(({ isPending }) => isPending),
  }
}

/** The search of each list, for what the palette does not show. */
export const searchesFor = (text: string): Group => {
  const query = searchText(text)
  return {
    title: 'Search',
    entries: query
      ? shownKinds.map((kind) => ({
          id: `search:${kind}`,
          label: `Search all ${views[kind].nouns} for “${query}”`,
          icon: 'find',
          run: () => navigate({ to: `/admin/${kind}`, search: {}, hash: hashOf(query) }),
        }))
      : [],
  }
}

/** Ids of what was last chosen in the palette, newest first; in this tab's memory, not in its storage. */
let recentIds: readonly string[] = []

const mostRecent = 5

export const remember = (id: string): void => {
  recentIds = [id, ...recentIds.filter((other) => other !== id)].slice(0, mostRecent)
}

onSignedOut(() => {
  recentIds = []
})

const recordPattern = /^record:([^:]+):(.+)$/

/** Recent choices, newest first; records are asked for by their ids. */
export const useRecent = (known: readonly Group[]): Group => {
  const [ids] = useState(() => recentIds)
  const records = ids.flatMap((id) => {
    const [, kind, recordId] = recordPattern.exec(id) ?? []
    const path = shownKinds.find((one) => one === kind)
    return path && recordId ? [{ id, kind: path, recordId }] : []
  })
  const read = useQueries({
    queries: records.map(({ kind, recordId }) => ({
      ...detailQuery(kind, recordId),
      refetchInterval: false as const,
      retry: false,
    })),
  })
  const entries = new Map(known.flatMap(({ entries }) => entries).map((entry) => [entry.id, entry]))
  for (const [index, { id, kind }] of records.entries()) {
    const record = read[index]?.data
    if (record) entries.set(id, recordEntry(kind, record))
  }
  return { title: 'Recent', entries: ids.flatMap((id) => entries.get(id) ?? []) }
}
