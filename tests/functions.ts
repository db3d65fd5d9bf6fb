import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { deflateRawSync } from 'node:zlib'
import { zipFunctions } from '@netlify/zip-it-and-ship-it'
import { parse } from 'smol-toml'
import { packSite } from '#site/publish/packed-site.ts'
import type { BlobsContext } from './blobs.ts'

/** The functions, packed by Netlify's packager. */
export interface Packages {
  /** The functions as Netlify is told of them. */
  functions: { name: string; routes: unknown[]; trafficRules: unknown }[]
  /** Each zip with its bytes, within a thousandth. */
  sizes: { name: string; bytes: number }[]
  /** The files of one package. */
  files(name: string): string[]
  /** The folder of an unpacked package. */
  home(name: string): string
}

/** Packs every function into `folder`, unpacked. */
export async function packFunctions(folder: string): Promise<Packages> {
  // As a build on Netlify does.
  packSite(process.cwd())
  const { functions: settings } = parse(readFileSync('netlify.toml', 'utf8')) as unknown as {
    functions: Record<string, { included_files?: string[] } | string>
  }
  const config = Object.fromEntries(
    Object.entries(settings).flatMap(([name, own]) =>
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
  const functions = await zipFunctions('functions', folder, {
    archiveFormat: 'none',
    // Otherwise functions that are read at once each parse the packages that they share.
    parallelLimit: 1,
    basePath: process.cwd(),
    repositoryRoot: process.cwd(),
    config,
  })
  const files = (name: string) =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return {
    functions: functions.map(({ name, routes = [], trafficRules }) => ({
      name,
      routes,
      trafficRules,
    })),
    sizes: names.map(({ name }) => ({
      name: `${name}.zip`,
      bytes: zippedSize(files(name).map((file) => join(folder, name, file))),
    })),
    files,
    home: (name) => join(folder, name),
  }
}

/** Packing once more as zips would take ten times as long. */
const zippedSize = (files: string[]): number =>
  files
    .filter((file) => lstatSync(file).isFile())
    .reduce((sum, file) => sum + deflateRawSync(readFileSync(file), { level: 9 }).length, 0)

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
  /** Milliseconds since the process began. */
  at: number
  /** Milliseconds that this call took. */
  ms: number
}

export interface StartedFunction {
  process: ChildProcess
  /** A visitor's request, with JSON where a body is given; a string goes as it is. */
  call: (
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
    method?: string,
  ) => Promise<Answer>
  /** A scheduled invocation; resolves when the run has ended. */
  runScheduled: () => Promise<Answer>
}

/**
 * A new process with only the unpacked function and its environment.
 *
 * @param blobs where the blob store is, as Netlify tells each invocation
 * @param clockOffsetMs how far the clock of this process is ahead
 */
export function startFunction(
  home: string,
  env: Record<string, string>,
  { blobs, clockOffsetMs = 0 }: { blobs?: BlobsContext | undefined; clockOffsetMs?: number } = {},
): StartedFunction {
  // Once: a process that begins beside this one may be reading them.
  for (const file of ['invoke.mjs', 'clock.mjs'])
    if (!existsSync(join(home, file))) copyFileSync(`tests/fixtures/${file}`, join(home, file))
  const child = spawn(process.execPath, ['--import', './clock.mjs', 'invoke.mjs'], {
    cwd: home,
    env: {
      PATH: '',
      LAMBDA_TASK_ROOT: home,
      AWS_LAMBDA_FUNCTION_NAME: 'api',
      CLOCK_OFFSET_MS: String(clockOffsetMs),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async <T>(word: string): Promise<T> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('The function ended')
      if (value.startsWith(`${word} `)) return JSON.parse(value.slice(word.length + 1))
    }
  }
  const send = (request: object) => child.stdin.write(`${JSON.stringify({ ...request, blobs })}\n`)
  return {
    process: child,
    call(path, json, headers = {}, method = json === undefined ? 'GET' : 'POST') {
      if (json === undefined) send({ path, method, headers })
      else
        send({
          path,
          method,
          headers: { 'Content-Type': 'application/json', ...headers },
          body: typeof json === 'string' ? json : JSON.stringify(json),
        })
      return next<Answer>('answer')
    },
    async runScheduled() {
      send({
        path: '/.netlify/functions/scheduled',
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-NF-Event': 'schedule' },
        body: JSON.stringify({ next_run: new Date().toISOString() }),
      })
      const answer = await next<Answer>('answer')
      await next('done')
      return answer
    },
  }
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
