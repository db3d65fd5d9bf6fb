import { saveFile } from '../../browser/save-file.ts'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useMay } from '../../session/profile.ts'
import { useAction } from '../../shell/use-action.ts'
import { exportCsv } from '../api/export-csv.ts'
import type { Filter } from '../api/record.ts'
import type { KindView } from '../kinds/kind-view.ts'

/** The current view as a file. */
export function CsvButton({ view, filter }: { view: KindView; filter: Filter }) {
  const mayExport = useMay('records.remove')
  const download = useAction(async () => {
    const name = `${view.kind}-${new Date().toISOString().slice(0, 10)}.csv`
    saveFile(await exportCsv(view.kind, filter), name)
  }, 'The download failed. Please try again.')
  if (!mayExport) return null

  return (
    <LinkButton
      disabled={download.isPending}
      onClick={() => download.mutate()}
      title="The list as it is filtered now"
    >
      <Icon name="down" />
      {download.isPending ? 'Preparing...' : 'Download CSV'}
    </LinkButton>
  )
}
