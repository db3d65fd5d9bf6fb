import { execFileSync } from 'node:child_process'

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
  return [
    ...own,
    ...(content[section] ?? []).map((file) => `src/content/${file}`),
    `src/content/legal/${section}.mdx`,
    ...(section === 'blog' ? [`src/content/blog/${name ?? ''}${name ? '.mdx' : ''}`] : []),
  ]
}

/**
 * The date of a page's last change, from the repository's history. Undefined without a history (a
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
    sources(path)
      .flatMap((source) =>
        source.endsWith('/')
          ? [...changed].filter(([file]) => file.startsWith(source)).map(([, date]) => date)
          : (changed.get(source) ?? []),
      )
      .map((date) => new Date(date).toISOString())
      .sort()
      .at(-1)
}
