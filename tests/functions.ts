import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { zipFunctions } from '@netlify/zip-it-and-ship-it'
import { parse } from 'smol-toml'

/** The functions as Netlify's own packager makes them. */
export interface Packages {
  /** Each zip with its bytes. */
  sizes: { name: string; bytes: number }[]
  /** The files of one package. */
  files(name: string): string[]
  /** Where a package lies unpacked. */
  home(name: string): string
}

/** Packs every function into `folder`, once as zips and once unpacked. */
export async function packFunctions(folder: string): Promise<Packages> {
  const zips = join(folder, 'zips')
  const unpacked = join(folder, 'unpacked')
  const { functions } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as {
    functions: Record<string, { included_files?: string[] } | string>
  }
  const config = Object.fromEntries(
    Object.entries(functions).flatMap(([name, own]) =>
      typeof own === 'string'
        ? []
        : [
            [
              name,
              {
                nodeVersion: '24',
                includedFiles: own.included_files ?? [],
                includedFilesBasePath: process.cwd(),
              },
            ],
          ],
    ),
  )
  for (const [target, archiveFormat] of [
    [zips, 'zip'],
    [unpacked, 'none'],
  ] as const) {
    mkdirSync(target)
    await zipFunctions('functions', target, {
      archiveFormat,
      basePath: process.cwd(),
      repositoryRoot: process.cwd(),
      config,
    })
  }
  return {
    sizes: readdirSync(zips)
      .filter((name) => name.endsWith('.zip'))
      .map((name) => ({ name, bytes: statSync(join(zips, name)).size })),
    files: (name) => readdirSync(join(unpacked, name), { recursive: true, encoding: 'utf8' }),
    home: (name) => join(unpacked, name),
  }
}

export interface Answer {
  status: number
  body: string
  /** Milliseconds since the process began. */
  at: number
}

/** A fresh process that has nothing but the unpacked function and its environment. */
export function startFunction(
  home: string,
  env: Record<string, string>,
): { process: ChildProcess; call: (path: string, json?: unknown) => Promise<Answer> } {
  copyFileSync('tests/fixtures/invoke.mjs', join(home, 'invoke.mjs'))
  const child = spawn(process.execPath, ['invoke.mjs'], {
    cwd: home,
    env: { PATH: '', LAMBDA_TASK_ROOT: home, AWS_LAMBDA_FUNCTION_NAME: 'api', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const call = async (path: string, json?: unknown): Promise<Answer> => {
    const request =
      json === undefined
        ? { path }
        : {
            path,
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(json),
          }
    child.stdin.write(`${JSON.stringify(request)}\n`)
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('The function ended')
      if (value.startsWith('answer ')) return JSON.parse(value.slice('answer '.length))
    }
  }
  return { process: child, call }
}

/** The environment of a deployed function on a database of its own. */
export const functionSettings = (url: string): Record<string, string> => ({
  DATABASE_URL: url,
  AUTH_SECRET: 'a secret for tests that is long enough to sign',
  SITE_URL: 'https://fledge.test',
  ADMIN_EMAIL: 'owner@example.test',
  ADMIN_USERNAME: 'keeper',
  ADMIN_PASSWORD: 'a long and quiet walk',
})
