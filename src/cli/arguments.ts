import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { Usage } from '#host/environment.ts'

interface Accepted<Options> {
  /** Words beside the options: exactly so many, or at least and at most. */
  words?: number | readonly [least: number, most: number]
  options?: Options
}

/**
 * The command line as `parseArgs` reads it. `--help` ends the command with `usage`. An unknown
 * option and a missing or additional word are errors that end in `usage`: a command that ignored
 * them would do what was not meant.
 *
 * @param usage `npm run NAME` with its words and options.
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  { words = 0, options }: Accepted<Options> = {},
) {
  const [least, most] = typeof words === 'number' ? [words, words] : words
  const read = parseOr(usage, {
    options: { ...(options as Options), help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if ('help' in read.values && read.values.help) throw new Usage(`Usage: ${usage}`)
  const count = read.positionals.length
  if (count < least || count > most) throw new Error(`Usage: ${usage}`)
  return read
}

function parseOr<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new Error(`${(error as Error).message}\nUsage: ${usage}`, { cause: error })
  }
}
