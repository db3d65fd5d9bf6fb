import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobsServer } from '@netlify/blobs/server'

/** Where the blob store is, as Netlify tells each invocation of a function. */
export interface BlobsContext {
  url: string
  url_uncached: string
  token: string
  primary_region: string
}

export interface Blobs {
  context: BlobsContext
  /** The same, as the functions' start sets it, for a test that runs in this process. */
  environment: string
  close(): Promise<void>
}

/** Netlify's own blob store for local work, on a port and a folder of its own. */
export async function startBlobs(): Promise<Blobs> {
  const directory = mkdtempSync(join(tmpdir(), 'fledge-blobs-'))
  const token = 'a token for tests'
  const server = new BlobsServer({ directory, token })
  const { port } = await server.start()
  return {
    ...blobsAt(`http://127.0.0.1:${port}`, token),
    async close() {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A store at an address that may hold anything, or nothing. */
export function blobsAt(url: string, token = 'x'): Pick<Blobs, 'context' | 'environment'> {
  const told = { edgeURL: url, uncachedEdgeURL: url, token, siteID: 'site-1', deployID: 'deploy1' }
  return {
    context: { url, url_uncached: url, token, primary_region: 'us-east-2' },
    environment: Buffer.from(JSON.stringify(told)).toString('base64'),
  }
}
