import type { Config } from '#server/config.ts'
import type { Connection } from '#server/db/database.ts'

/** Opens the database that the configuration names; its driver is loaded only now. */
export async function connect(config: Pick<Config, 'database'>): Promise<Connection> {
  const { database } = config
  if (database.kind === 'embedded') {
    const { openEmbedded } = await import('#server/db/embedded/embedded.ts')
    return openEmbedded(database.directory)
  }
  const { connectRemote } = await import('#server/db/remote.ts')
  return connectRemote(database)
}
