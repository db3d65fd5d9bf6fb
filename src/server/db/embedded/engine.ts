import { setFlagsFromString } from 'node:v8'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { ClosedFiles } from '#server/db/embedded/closed-files.ts'
import { PreparedPglite } from '#server/db/embedded/prepared-pglite.ts'

/** Read once at the start and kept in memory whole; the machine's own cache of files holds the rest. */
const SHARED_BUFFERS = '16MB'

/**
 * PGlite, whose SQL parser is not optimised: it is one function of 100 KB, for which V8's optimising
 * compiler takes 600 MB of memory; no other takes a tenth of that. V8 compiles a function quickly at
 * its first call, and better once it was called often. Whether it counts the calls is decided at the
 * first: while the filter names another function, it does not.
 */
class Engine extends PreparedPglite {
  /** The engine's first statements; this one calls the parser and nothing after it. */
  override async _initArrayTypes(
    ...options: Parameters<PGlite['_initArrayTypes']>
  ): ReturnType<PGlite['_initArrayTypes']> {
    setFlagsFromString('--wasm-tier-up-filter=0')
    try {
      await this.exec(';')
    } finally {
      setFlagsFromString('--wasm-tier-up-filter=-1')
    }
    return super._initArrayTypes(...options)
  }
}

/** PGlite as the product needs it: with trigrams for search, indexes that refuse overlaps, in UTC, in little memory. */
export async function openPglite({
  dataDir,
  loadDataDir,
}: {
  dataDir?: string
  loadDataDir?: Blob
}): Promise<PGlite> {
  const options: PGliteOptions = {
    extensions: { btree_gist, pg_trgm },
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    ...(dataDir !== undefined && { fs: new ClosedFiles(dataDir) }),
    ...(loadDataDir && { loadDataDir }),
  }
  const engine = new Engine(options)
  await engine.waitReady
  return engine
}
