import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { embeddedDirectory, fileArgument, readEnvironment, run } from '#host/environment.ts'
import { InvalidDump, replaceEmbedded } from '#server/db/embedded.ts'

await run(async () => {
  const file = fileArgument('restore')
  const directory = embeddedDirectory(readEnvironment())
  const replaced = await replaceEmbedded(directory, await dumpIn(file))
  console.log(`The database of ${file} is in place.`)
  if (replaced) console.log(`The one that it replaces is kept in ${replaced}.`)
})

/** Unpacked here: the checksum at the end of the archive tells a whole file from a part of one. */
async function dumpIn(file: string): Promise<Blob> {
  const archive = await readFile(file).catch((cause: unknown) => {
    throw new InvalidDump(`${file} cannot be read.`, { cause })
  })
  const dump = await promisify(gunzip)(archive).catch((cause: unknown) => {
    throw new InvalidDump(`${file} is no backup, or only a part of one.`, { cause })
  })
  return new Blob([dump])
}
