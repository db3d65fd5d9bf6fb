import { useState } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { useMay } from '../../session/profile.ts'
import { sentenceOf } from '../../session/session.ts'
import { notify } from '../../shell/notices.tsx'
import { exportCsv } from '../api/export-csv.ts'
import type { Filter } from '../api/record.ts'
import type { KindView } from '../kinds/kind-view.ts'

/** The current view as a file. */
export function CsvButton({ view, filter }: { view: KindView; filter: Filter }) {
  const mayExport = useMay('records.remove')
  const [busy, setBusy] = useState(false)
  if (!mayExport) return null

  const download = async () => {
    setBusy(true)
    try {
      const file = URL.createObjectURL(await exportCsv(view.kind, filter))
      const link = document.createElement('a')
      link.href = file
      link.download = `${view.kind}-${new Date().toISOString().slice(0, 10)}.csv`
      link.click()
      setTimeout(() => URL.revokeObjectURL(file), 60_000)
    } catch (error) {
      notify({ text: sentenceOf(error, 'The download failed. Please try again.'), tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <LinkButton
      disabled={busy}
      onClick={() => void download()}
      title="The list as it is filtered now"
    >
      <Icon name="down" />
      {busy ? 'Preparing...' : 'Download CSV'}
    </LinkButton>
  )
}
