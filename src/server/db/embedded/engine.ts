import { mkdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PreparedPglite } from '#server/db/embedded/prepared-pglite.ts'

type Options = Parameters<NodeFS['init']>[1]
type Started = Parameters<NonNullable<Options['preRun']>[number]>[0]

/** Node's calls that the engine's file system uses; its types leave them out. */
interface FileOperations {
  mknod(parent: object, name: string, mode: number, device: number): object
  setattr(node: object, change: { mode?: number | null }): void
}

const closed = (mode: number): number => mode & ~0o077

/**
 * The embedded database's files, closed to other users. The engine creates files as 0666 and sets
 * that mode once more afterwards, past the process's umask, so both are intercepted here.
 */
class ClosedFiles extends NodeFS {
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    super(directory)
  }

  override async init(pg: PGlite, options: Options): ReturnType<NodeFS['init']> {
    const closeNew = (started: Started): void => {
      const operations: FileOperations = started.NODEFS.node_ops
      const { mknod, setattr } = operations
      operations.mknod = (parent, name, mode, device) => mknod(parent, name, closed(mode), device)
      operations.setattr = (node, change) =>
        setattr(
          node,
          typeof change.mode === 'number' ? { ...change, mode: closed(change.mode) } : change,
        )
    }
    return super.init(pg, { ...options, preRun: [closeNew, ...(options.preRun ?? [])] })
  }
}

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
}: Pick<PGliteOptions, 'dataDir' | 'loadDataDir'>): Promise<PGlite> {
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
