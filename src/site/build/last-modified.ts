import { execFileSync } from 'node:child_process'
import { entries, entry } from '#site/content.ts'

/** The day that an article or a legal page names itself, or the newest article does. */
const ownDay = (path: string): string | undefined => {
  const [, section = '', name] = path.split('/')
  if (section !== 'blog') return entry('legal', section)?.data.updated
  const dayOf = ({ data }: { data: { date: string; updated?: string | undefined } }) =>
    data.updated ?? data.date
  return entries('blog')
    .filter(({ id }) => name === undefined || id === name)
    .map(dayOf)
    .sort()
    .at(-1)
}

/** The files whose text a page shows; the newest commit to one of them is the page's date. */
const sources = (path: string): string[] => {
  const [, section = '', name] = path.split('/')
  const page = name ? `src/pages/${section}/${name}` : `src/pages/${section || 'index'}`
  const own = [`${page}.astro`, `${page}/index.astro`]
  const content: Record<string, string[]> = {
    '': ['home-services.json', 'work.json', 'testimonials.json', 'tags.json'],
    about: ['company.json'],
    services: name ? ['service-pages.json'] : ['services.json', 'process.json'],
    work: ['work.json'],
    consultation: ['consultation-services.json', 'consultation-steps.json'],
    careers: ['positions.json', 'openings.json'],
    faq: ['faq.json'],
  }
  return [...own, ...(content[section] ?? []).map((file) => `src/content/${file}`)]
}

/**
 * The date of a page's last change, from its document or else from the repository's history. Undefined without a history (a
 * downloaded archive) and for unknown pages: no date is better than the date of the build.
 */
export const lastModified = (root: string) => {
  const changed = new Map<string, string>()
  try {
    const log = execFileSync('git', ['log', '--format=@%cI', '--name-only', '--', 'src'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let date = ''
    for (const line of log.split('\n')) {
      if (line.startsWith('@')) date = line.slice(1)
      else if (line && !changed.has(line)) changed.set(line, date)
    }
  } catch {}

  return (path: string): string | undefined =>
    ownDay(path) ??
    sources(path)
      .flatMap((source) => changed.get(source) ?? [])
      .map((date) => new Date(date).toISOString())
      .sort()
      .at(-1)
}
