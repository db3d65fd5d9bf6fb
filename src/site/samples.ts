import { samplesIn } from '#contract/content/samples.ts'
import { content } from '#site/content.ts'
import { articles } from './documents/articles.ts'
import { isUsed } from './features.ts'

/** The sample content of what the site shows, by file: a collection that is a folder has one for each entry. */
export const sampleContent = () =>
  Object.entries(content())
    .filter(([name]) => isUsed(content(), name))
    .flatMap(([name, value]) =>
      Array.isArray(value) && Object.hasOwn(articles, name)
        ? value.map((entry) => ({
            file: `src/content/${name}/${entry.id}.mdx`,
            count: samplesIn(entry),
          }))
        : [{ file: `src/content/${name}.json`, count: samplesIn(value) }],
    )
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.file.localeCompare(b.file))

/**
 * Samples matter in a production deploy (Netlify's `CONTEXT=production`). It succeeds, so that a first
 * deploy works, but every page shows a notice about those in `shown` and keeps search engines out, unless
 * the owner allows the samples. `files` are for the log.
 */
export const sampleState = (
  { CONTEXT, ALLOW_SAMPLE_CONTENT }: NodeJS.ProcessEnv,
  files: ReturnType<typeof sampleContent>,
) => {
  if (CONTEXT !== 'production') return { files: [], shown: 0 }
  const total = files.reduce((sum, { count }) => sum + count, 0)
  return { files, shown: ALLOW_SAMPLE_CONTENT === '1' ? 0 : total }
}

type SampleState = ReturnType<typeof sampleState>

/** Set by the build, so that its pages can be rendered again where there are no sources. */
declare const BUILT_SAMPLES: SampleState

export const samples: SampleState =
  typeof BUILT_SAMPLES === 'undefined' ? sampleState(process.env, sampleContent()) : BUILT_SAMPLES
