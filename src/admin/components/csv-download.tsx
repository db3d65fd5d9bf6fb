import { saveFile } from '../browser/save-file.ts'
import { useMay } from '../session/profile.ts'
import { useAction } from '../shell/notices.tsx'
import { Button } from './button.tsx'

interface Props {
  load: () => Promise<Blob>
  name: string
}

/** The figures of a screen as a file, for those who may export. */
export function CsvDownload({ load, name }: Props) {
  const mayExport = useMay('records.remove')
  const download = useAction(
    async () => saveFile(await load(), name),
    'The file could not be made. Please try again.',
  )
  return (
    mayExport && (
      <Button
        look="line"
        busy={download.isPending && 'Making the file...'}
        onClick={() => download.mutate()}
      >
        Download as CSV
      </Button>
    )
  )
}
