import type { KindPath } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { saveFile } from '../../browser/save-file.ts'
import { useTheme } from '../../browser/theme.ts'
import { useIsWide } from '../../browser/use-media.ts'
import { Icon } from '../../components/icon.tsx'
import { KeyButton } from '../../components/key.tsx'
import { Menu } from '../../components/menu.tsx'
import { blindFor } from '../../record/blind.ts'
import type { Filter } from '../../record/record.ts'
import { readAll } from '../../record/unread.ts'
import { Link } from '../../router/link.tsx'
import { useMay } from '../../session/profile.ts'
import { askFile } from '../../session/session.ts'
import { saveSettings } from '../../session/settings-query.ts'
import { leave } from '../../shell/logout-button.tsx'
import { useAction } from '../../shell/notices.tsx'
import { openOverlay, paletteKey } from '../../shell/overlay.ts'
import tools from '../../shell/tool.module.css'
import { type Density, setDensity, usePreferences } from '../preferences.ts'
import styles from './header.module.css'
import type { HeaderProps } from './header.tsx'

interface Props extends Pick<HeaderProps, 'view' | 'filter' | 'onSelecting'> {
  isEmpty: boolean
  onRefine: () => void
}

/** Rare actions of a list; on a phone, of the account too, for which there is no room elsewhere. */
export function MoreMenu({ view, filter, isEmpty, onRefine, onSelecting }: Props) {
  const isWide = useIsWide()
  const mayExport = useMay('records.remove')
  const mayAnswer = useMay('records.change')
  const { density } = usePreferences()
  const { theme, toggle } = useTheme()
  const saveDensity = useAction((body: { density: Density }) => {
    setDensity(body.density)
    return saveSettings(body)
  }, 'The height of the rows could not be saved. Please try again.')
  const read = useAction(
    () => readAll(view.kind),
    'The records could not be marked as read. Please try again.',
  )
  const download = useAction(async () => {
    const name = `${view.kind}-${new Date().toISOString().slice(0, 10)}.csv`
    saveFile(await exportCsv(view.kind, filter), name)
  }, 'The download failed. Please try again.')

  return (
    <Menu className={`${tools.tool} ${tools.square}`} name="More" label={<Icon name="more" />}>
      {() => (
        <>
          <KeyButton label="Sort and filter" onClick={onRefine} />
          {onSelecting && !isEmpty && (
            <KeyButton label={`Select ${view.nouns}`} of="x" onClick={onSelecting} />
          )}
          {isWide && (
            <KeyButton
              label={density === 'compact' ? 'Comfortable rows' : 'Compact rows'}
              onClick={() =>
                saveDensity.mutate({
                  density: density === 'compact' ? 'comfortable' : 'compact',
                })
              }
            />
          )}
          {!isEmpty && (
            <KeyButton
              label="Mark all as read"
              disabled={read.isPending}
              onClick={() => read.mutate()}
            />
          )}
          {mayExport && !isEmpty && (
            <KeyButton
              label={download.isPending ? 'Preparing...' : 'Download CSV'}
              disabled={download.isPending}
              onClick={() => download.mutate()}
              title="The list as it is filtered now"
            />
          )}
          {mayAnswer && <KeyButton label="Templates" onClick={() => openOverlay('templates')} />}
          <KeyButton label="Find or do" of={paletteKey} onClick={() => openOverlay('palette')} />
          <KeyButton
            className={styles.keys}
            label="All keys"
            of="?"
            onClick={() => openOverlay('keys')}
          />
          {!isWide && (
            <>
              <hr />
              <Link to="/admin/account">Your account</Link>
              <Link to="/admin/users">Manage Users</Link>
              <KeyButton
                label={theme === 'dark' ? 'Light colours' : 'Dark colours'}
                onClick={toggle}
              />
              <KeyButton label="Logout" onClick={() => void leave()} />
            </>
          )}
        </>
      )}
    </Menu>
  )
}

/** A whole list may take a while. */
const patienceMs = 5 * 60_000

/** The filtered list as a file. As in lists, a search text stands in the body. */
const exportCsv = (kind: KindPath, given: Filter): Promise<Blob> => {
  const filter = { ...given, ...blindFor(kind), labels: '1' as const }
  return filter.q
    ? askFile(anyKind[kind].exportBy, { body: filter }, { timeoutMs: patienceMs })
    : askFile(anyKind[kind].export, { query: filter }, { timeoutMs: patienceMs })
}
