import { Icon } from '../components/icon.tsx'
import styles from './samples-left.module.css'

interface SampleFile {
  file: string
  count: number
}

/** Written into the admin's page by a production build (`src/site/samples.ts`). */
const sampleFiles = (): SampleFile[] =>
  JSON.parse(document.getElementById('samples')?.textContent ?? '[]')

/** Which of the site's content still has to be replaced by the real thing. */
export function SamplesLeft() {
  const files = sampleFiles()
  const left = files.reduce((sum, { count }) => sum + count, 0)
  if (left === 0) return null
  return (
    <section className={styles.samples} aria-label="Sample content">
      <Icon name="warn" />
      <p>
        <b>{left === 1 ? '1 sample is' : `${left} samples are`} left on the site.</b>{' '}
        {files.map(({ file, count }) => `${file}: ${count}`).join(', ')}
      </p>
    </section>
  )
}
