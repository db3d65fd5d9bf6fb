import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { recordStatements } from './recorded-statements.ts'

/**
 * The baseline: a node:http handler that reads a JSON body and runs the same SQL with prepared values.
 * It does not validate, hash, render, limit, log, or prepare the statement.
 */

const [url, count] = process.argv.slice(2)
const statements = (await recordStatements(Number(count))).values()
const pool = new pg.Pool({
  connectionString: String(url),
  max: 10,
  options: '-c timezone=UTC',
})

const server = createServer(async (request, response) => {
  try {
    JSON.parse(await text(request))
    const { value } = statements.next()
    if (!value) throw new Error('All statements are used up')
    const { sql, params } = value
    const { rows } = await pool.query(sql, params)
    response.writeHead(201, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ success: true, data: rows[0] }))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}).listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`)
