import { PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'
import { preparedName } from '../prepared.ts'

const messageOf = protocol.serialize

/**
 * After how many runs a statement is planned anew. A plan that was made for empty tables reads them
 * whole; the embedded engine has no autovacuum, which makes a server notice that they have grown.
 */
const RUNS_PER_PLAN = 500

/** The engine's description of a statement: its results' fields, and its parameters' types. */
interface Described {
  messages: Awaited<ReturnType<PGlite['execProtocolStream']>>
  types: number[]
  runs: number
}

/**
 * The embedded engine with prepared statements. Its own `query` parses and plans a statement each
 * time, and calls the engine for each of the protocol's six messages.
 */
export class PreparedPglite extends PGlite {
  readonly #described = new Map<string, Described>()

  override async query<T>(
    text: string,
    params: unknown[] = [],
    options?: QueryOptions,
  ): Promise<Results<T>> {
    const name = preparedName(text)
    if (name === undefined) return super.query<T>(text, params, options)
    await this._checkReady()
    // The locks of the engine's own `query`.
    return this._runExclusiveTransaction(() =>
      this._runExclusiveQuery(() => this.#run<T>(name, text, params, options)),
    )
  }

  async #run<T>(
    name: string,
    text: string,
    params: unknown[],
    options: QueryOptions | undefined,
  ): Promise<Results<T>> {
    const statement = this.#described.get(name) ?? (await this.#prepare(name, text))
    const { messages, types } = statement
    statement.runs += 1
    if (statement.runs % RUNS_PER_PLAN === 0)
      await this.execProtocolStream(messageOf.query('discard plans'))
    const values = params.map((value, n) => {
      if (value === null || value === undefined) return null
      return this.serializers[types[n] ?? 0]?.(value) ?? String(value)
    })
    const answer = await this.#send(
      messageOf.bind({ statement: name, values }),
      messageOf.execute(),
    )
    const [results] = parse.parseResults([...messages, ...answer], this.parsers, options)
    return results as Results<T>
  }

  #send(...messages: Uint8Array[]) {
    return this.execProtocolStream(Buffer.concat([...messages, messageOf.sync()]))
  }

  async #prepare(name: string, text: string): Promise<Described> {
    const messages = await this.#send(
      messageOf.parse({ name, text }),
      messageOf.describe({ type: 'S', name }),
    )
    const types = parse.parseDescribeStatementResults(messages)
    const described = { messages, types, runs: 0 }
    this.#described.set(name, described)
    return described
  }
}
