import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { housekeeping } from '#contract/privacy/rules.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/drizzle.ts'
import { mailboxOf } from '#server/mail-out/eml.ts'
import { knownMessages } from './store/retention.ts'

type Mailbox = Pick<Config, 'dataDir'>

export const removeEmlFiles = async ({ dataDir }: Mailbox, ids: readonly string[]) => {
  const files = ids.flatMap((id) => [`${id}.eml`, `${id}.eml.part`])
  await Promise.all(files.map((file) => rm(join(mailboxOf(dataDir), file), { force: true })))
}

const MESSAGE_FILE = /^(?:([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})|.*)\.eml(?:\.part)?$/

/**
 * Removes files of the local mailbox that are as old as a message's text may get, and those of messages
 * that the database does not have, as after a restore: an erasure would not find them.
 */
export const removeOldEmlFiles = async ({ db, config }: { db: Database; config: Mailbox }) => {
  const mailbox = mailboxOf(config.dataDir)
  const oldest = Date.now() - housekeeping.mailBodies.keep.days * 86_400_000
  const files = (await readdir(mailbox).catch(() => [])).flatMap((name) => {
    const found = MESSAGE_FILE.exec(name)
    return found ? [{ file: join(mailbox, name), id: found[1] }] : []
  })
  // A message is in the database before its file is written.
  const known = await knownMessages(
    db,
    files.flatMap(({ id }) => id ?? []),
  )
  let count = 0
  for (const { file, id } of files) {
    // A file that is being written is renamed when it is complete.
    const written = await stat(file).catch(() => null)
    const isUnknown = id !== undefined && !known.has(id)
    if (!written || (written.mtimeMs >= oldest && !isUnknown)) continue
    await rm(file, { force: true })
    count += 1
  }
  return count
}
