import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readArguments } from '#cli/arguments.ts'
import { counting, megabytes, withCount } from '#cli/progress.ts'
import { embeddedDirectory, readEnvironment, run } from '#host/environment.ts'
import { endOtherSignIns, readOpenSignIns } from '#server/auth/store/restored.ts'
import { readAuthSecret } from '#server/config.ts'
import { InvalidDump, replaceEmbedded } from '#server/db/embedded/embedded.ts'
import { KEPT_DAYS } from '#server/db/embedded/replaced.ts'
import { recordProgramEvent } from '#server/db/events/record-event.ts'
import { readSettledMail, settleMailAgain } from '#server/mail-out/store/restored.ts'
import { type ErasedAgain, eraseAgain, linesOf } from '#server/privacy/erase-again.ts'
import { mergeErasures, readErasures } from '#server/privacy/store/erasures.ts'
import { endDevices } from '#server/push/store/devices.ts'

await run(async () => {
  const { positionals } = readArguments('npm run restore -- FILE', { words: 1 })
  const [file = ''] = positionals
  const env = readEnvironment()
  const directory = embeddedDirectory(env)
  const config = { dataDir: dirname(directory), authSecret: readAuthSecret(env) }
  let again: ErasedAgain = { addresses: 0, records: 0, links: 0, unmatched: 0 }
  let ended = 0
  let isCompared = false
  const archive = await open(file).catch((cause: unknown) => {
    throw new InvalidDump(`${file} cannot be read.`, { cause })
  })
  const { size } = await archive.stat()
  const { replaced, unreadable } = await withCount(
    { what: 'restore', total: size, show: megabytes },
    (advance) =>
      replaceEmbedded(directory, Readable.from(unpacked(archive, advance)), {
        read: async (db) => ({
          erasures: await readErasures(db),
          signIns: await readOpenSignIns(db),
          settledMail: await readSettledMail(db),
        }),
        async write(db, known) {
          isCompared = known !== undefined
          // With nothing to compare with, every session and link of the backup ends.
          ended = await endOtherSignIns(db, known?.signIns)
          await endDevices(db)
          if (known) await settleMailAgain(db, known.settledMail)
          await mergeErasures(db, known?.erasures ?? [])
          again = await eraseAgain({ db, config })
          const counts = { ...again }
          await recordProgramEvent(db, { via: 'command', kind: 'backup.restore', counts })
        },
      }),
  ).finally(() => archive.close())
  console.log(`The database of ${file} is in place.`)
  console.log(linesOf(again))
  const which = isCompared ? ' that have ended since, and end again' : ', all of which end'
  console.log(`Sessions, tokens and links of accounts${which}: ${ended}.`)
  if (!isCompared)
    console.log(
      unreadable
        ? 'The database that was replaced is damaged, so its list of erased addresses is lost.'
        : 'There was no database to replace, so later erasures than those of the backup are unknown.',
      'Erase everybody who was erased since the backup once more, in the admin.',
    )
  if (replaced)
    console.log(
      `The database that it replaces is kept in ${replaced}. It is deleted after ${KEPT_DAYS} days, by the host.`,
    )
})

/** Unpacks the archive; its checksum tells a whole file from a part of one. */
async function* unpacked(file: FileHandle, onRead: (bytes: number) => void) {
  try {
    yield* pipeline(file.createReadStream(), counting(onRead), createGunzip(), () => {})
  } catch (cause) {
    throw new InvalidDump('This is no backup, or only a part of one.', { cause })
  }
}
