import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { content } from '#site/content.ts'

/** A file with placeholder content. */
export interface SampleFile {
  file: string
  count: number
}

const samplesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).reduce(
        (sum, [key, part]) => sum + (key === 'sample' && part === true ? 1 : samplesIn(part)),
        0,
      )
    : 0

/** All sample content of the project in `root`, by file. */
export const sampleContent = (root: string): SampleFile[] => {
  const folder = join(root, 'src/content')
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mdx'))
    .map((file) => ({
      file: `src/content/${file}`,
      count: readFileSync(join(folder, file), 'utf8').match(/<Sample>/g)?.length ?? 0,
    }))
  const documents = Object.entries(content()).map(([name, value]) => ({
    file: `src/content/${name}.json`,
    count: samplesIn(value),
  }))
  return [...documents, ...texts]
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.file.localeCompare(b.file))
}

export interface SampleState {
  /** For the log and the dashboard. */
  files: SampleFile[]
  /** Samples that every page shows a notice about; while there are any, search engines are kept out. */
  shown: number
}

/**
 * Samples matter in a production deploy (Netlify's `CONTEXT=production`). It succeeds, so that a first
 * deploy works, but every page shows a notice unless the owner allows the samples.
 */
export const sampleState = (
  { CONTEXT, ALLOW_SAMPLE_CONTENT }: NodeJS.ProcessEnv,
  files: SampleFile[],
): SampleState => {
  if (CONTEXT !== 'production') return { files: [], shown: 0 }
  return { files, shown: ALLOW_SAMPLE_CONTENT === '1' ? 0 : total(files) }
}

const total = (files: SampleFile[]) => files.reduce((sum, { count }) => sum + count, 0)

/** Set by the build, so that its pages can be rendered again where there are no sources. */
declare const BUILT_SAMPLES: SampleState | undefined

/** The result for this build. */
export const samples: SampleState =
  (typeof BUILT_SAMPLES === 'undefined' ? undefined : BUILT_SAMPLES) ??
  sampleState(process.env, sampleContent(process.cwd()))
