import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { join, relative } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { PulledRelease } from '#server/content/live.ts'
import { type Archive, archiveOf } from '#server/db/embedded/archive.ts'

/**
 * The running host owns the embedded database, so a backup is asked of it: over a local socket in
 * `DATA_DIR`, which only those reach who could read the database itself.
 */

/** Socket names are short (unix(7): 108 bytes); from the working folder it may be shorter. */
function socketIn(dataDir: string): string {
  const path = join(dataDir, 'host.sock')
  const nearer = relative(process.cwd(), path)
  return nearer.length < path.length ? nearer : path
}

/** The header that says how many bytes a backup's files hold; the archive adds padding. */
const BYTES = 'database-bytes'

/**
 * Answers `GET /backup` with an archive of the database in `directory`, and says when one was read whole; `GET /release`
 * with the live release.
 */
export async function openControl(
  dataDir: string,
  client: PGlite,
  directory: string,
  { onBackup, release }: Record<'onBackup' | 'release', () => Promise<unknown>>,
) {
  const path = socketIn(dataDir)
  // The holder of the database's lock may remove what a killed owner has left.
  rmSync(path, { force: true })
  const server = createServer(async (request, response) => {
    try {
      if (request.url === '/release') {
        response.end(JSON.stringify((await release()) ?? null))
        return
      }
      const { stream, bytes } = await archiveOf(client, directory)
      response.setHeader(BYTES, bytes)
      // A pipeline into an answer that nobody reads any more leaves its source open.
      await pipeline(stream, response, { end: false }).finally(() => stream.destroy())
      await onBackup()
      response.end()
    } catch (error) {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end(error instanceof Error ? error.message : '')
    }
  })
  const previous = process.umask(0o077)
  server.listen(path)
  await once(server, 'listening')
  process.umask(previous)
  return {
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/**
 * The answer of the host that is running on this folder; undefined where none is.
 *
 * @throws Error with the host's own reason, such as a full disk
 */
async function ask(dataDir: string, path: string): Promise<IncomingMessage | undefined> {
  const call = request({ socketPath: socketIn(dataDir), path }).end()
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    // A connection that breaks from here on fails the reading of the answer.
    call.on('error', () => {})
    if (answer.statusCode === 200) return answer
    throw new Error(await text(answer))
  } catch (error) {
    if (/^(ENOENT|ECONNREFUSED)$/.test((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}

export async function askForBackup(dataDir: string): Promise<Archive | undefined> {
  const stream = await ask(dataDir, '/backup')
  return stream && { stream, bytes: Number(stream.headers[BYTES]) }
}

/** The live release; null before the first, undefined where no host runs. */
export async function askForRelease(dataDir: string): Promise<PulledRelease | null | undefined> {
  const stream = await ask(dataDir, '/release')
  return stream && ((await json(stream)) as PulledRelease | null)
}
