import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobsServer } from '@netlify/blobs/server'

/** The blob store's context, as Netlify passes it to each invocation of a function. */
export interface BlobsContext {
  url: string
  url_uncached: string
  token: string
  primary_region: string
}

export interface Blobs {
  context: BlobsContext
  /** The same as an environment variable, for a test that runs in this process. */
  environment: string
  close(): Promise<void>
}

/** Netlify's local blob store server, on its own port and folder. */
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

/** The context of a store at any URL, which may not exist. */
export function blobsAt(url: string, token = 'x'): Pick<Blobs, 'context' | 'environment'> {
  const told = { edgeURL: url, uncachedEdgeURL: url, token, siteID: 'site-1', deployID: 'deploy1' }
  return {
    context: { url, url_uncached: url, token, primary_region: 'us-east-2' },
    environment: Buffer.from(JSON.stringify(told)).toString('base64'),
  }
}
