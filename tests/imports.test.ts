import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Lint checks imports between the large parts (biome.json, `noRestrictedImports`). This checks features
 * inside a part: they import shared folders, and never another feature.
 */
const shared: Record<string, readonly string[]> = {
  server: ['http', 'db', 'kinds', 'mail-out', 'pages', 'password', 'secrets'],
  admin: ['browser', 'changes', 'components', 'format', 'record', 'router', 'session', 'shell'],
}

/** Exceptions: one feature is about another. */
const granted = [
  'admin/account -> programs',
  'admin/audit -> site',
  'admin/dashboard -> inbox',
  'admin/inbox -> saved-views',
  'admin/dashboard -> times',
  'admin/palette -> inbox',
  'admin/palette -> saved-views',
  'admin/record -> times',
  'admin/saved-views -> inbox',
  'admin/shell -> account',
  'admin/shell -> inbox',
  'admin/times -> offers',
  'admin/users -> programs',
  'server/mail-in -> conversation',
  'server/mail-in -> intake',
  'server/status-page -> conversation',
  'server/status-page -> privacy',
  'server/offers -> inbox',
  'server/offers -> status-page',
  'server/times -> inbox',
  'server/times -> status-page',
]

/** An import of what makes or runs a query. A type makes none. */
const IMPORTS_QUERIES =
  /import \{(?:[^}]*,)?\s*(?:(?!type )\w[^}]*\} from '#server\/db\/drizzle\.ts|(?:rows|valuesOf|oneValue|checkedRows|run|runOne)\b[^}]*\} from '#server\/db\/rows\.ts)/

function imports(part: string): string[] {
  const files = globSync(`src/${part}/*/**/*.{ts,tsx}`).filter(
    (file) => !/testing\.ts$|\.test\.tsx?$/.test(file),
  )
  return files.flatMap((file) => {
    const feature = file.split('/')[2]
    return [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([#.][^']+)'/g)]
      .map(([, name = '']) =>
        name.startsWith('.') ? join(dirname(file), name) : name.replace('#', 'src/'),
      )
      .map((target) => target.split('/'))
      .filter(([, other, into, inside]) => other === part && into !== feature && inside)
      .filter(([, , into = '']) => !shared[part]?.includes(into))
      .map(([, , into]) => `${part}/${feature} -> ${into}`)
  })
}

test('a feature never imports another feature', () => {
  const found = Object.keys(shared).flatMap(imports)
  expect([...new Set(found)].filter((edge) => !granted.includes(edge))).toEqual([])
})

test('queries stand in a feature’s store and nowhere else', () => {
  const outside = globSync('src/**/*.ts').filter(
    (file) =>
      !/testing\.ts$|\.test\.ts$|^src\/server\/db\/|\/store(\.ts$|\/)/.test(file) &&
      IMPORTS_QUERIES.test(readFileSync(file, 'utf8')),
  )
  expect(outside).toEqual([])
})

test('Drizzle is imported by one file, as its package is read anew for each', () => {
  const importing = globSync('src/**/*.ts').filter((file) =>
    /from 'drizzle-orm(?:\/pg-core)?'/.test(readFileSync(file, 'utf8')),
  )
  expect(importing.sort()).toEqual(['src/server/db/drizzle.ts', 'src/server/db/pg-core.ts'])
})

/** Packages that this file and all that it imports name, without types. */
const packagesOf = (file: string, seen = new Set<string>()): Set<string> => {
  const packages = new Set<string>()
  if (seen.has(file)) return packages
  seen.add(file)
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;'"]*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  for (const [, fixed, loaded] of found) {
    const name = fixed ?? loaded ?? ''
    if (name.startsWith('node:')) continue
    const own = name.startsWith('#') ? name.replace('#', 'src/') : join(dirname(file), name)
    if (/^[#.]/.test(name)) for (const one of packagesOf(own, seen)) packages.add(one)
    else packages.add(/^@[^/]+\/[^/]+|^[^/]+/.exec(name)?.[0] ?? name)
  }
  return packages
}

test('the host and what draws a release need only packages of production', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const file of ['src/host/serve.ts', 'src/site/publish/child.ts'])
    expect([...packagesOf(file)].filter((name) => !(name in dependencies))).toEqual([])
})
