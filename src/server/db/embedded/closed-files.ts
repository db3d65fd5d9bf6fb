import { mkdirSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Options = Parameters<NodeFS['init']>[1]
type Started = Parameters<NonNullable<Options['preRun']>[number]>[0]

/** What the engine's file system asks of Node; its types leave it out. */
interface FileOperations {
  mknod(parent: object, name: string, mode: number, device: number): object
  setattr(node: object, change: { mode?: number | null }): void
}

const closed = (mode: number): number => mode & ~0o077

/**
 * The embedded database's files, closed to other users. The engine creates files as 0666 and sets
 * that mode once more afterwards, past the process's umask, so both are intercepted here.
 */
export class ClosedFiles extends NodeFS {
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
