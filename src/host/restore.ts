import { openAsBlob } from 'node:fs'
import { embeddedDirectory, fileArgument, readEnvironment, run } from '#host/environment.ts'
import { replaceEmbedded } from '#server/db/embedded.ts'

await run(async () => {
  const file = fileArgument('restore')
  const directory = embeddedDirectory(readEnvironment())
  const dump = await openAsBlob(file).catch(() => {
    throw new Error(`${file} cannot be read.`)
  })
  const replaced = await replaceEmbedded(directory, dump)
  console.log(`The database of ${file} is in place.`)
  if (replaced) console.log(`The one that it replaces is kept in ${replaced}.`)
})
