import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * The yardstick of a submission: a node:http handler with one hand-written statement that stores what any
 * build of it must store (the record, two messages, an event, the idempotency key, a hit for the limit)
 * and checks the limit, the repeated text and the recipient. It validates, renders and logs nothing,
 * and has the fewest indexes that the reads need.
 */

const tables = [
  'create table if not exists record (id uuid primary key, created_at timestamptz not null default now(), name text, email text, message text, text_hash text, status text, box text, version int)',
  'create index if not exists record_newest on record (box, created_at desc, id desc)',
  'create index if not exists record_text on record (text_hash, created_at)',
  'create table if not exists message (id uuid primary key, record uuid, recipient text, payload jsonb, due timestamptz default now(), state text)',
  'create index if not exists message_due on message (due)',
  'create index if not exists message_recipient on message (recipient, due)',
  'create table if not exists event (id uuid primary key, record uuid, at timestamptz default now(), kind text)',
  'create table if not exists request_key (path text, key text, hash text, at timestamptz default now(), primary key (path, key))',
  'create table if not exists hit (ip text, at timestamptz default now())',
  'create index if not exists hit_ip on hit (ip, at)',
]

const statement = `
  with seen as (select
      (select count(*) from hit where ip = $9 and at > now() - interval '1 hour') as hits,
      (select count(*) from record where text_hash = md5($4) and created_at > now() - interval '1 day') as same,
      (select count(*) from message where recipient = $3 and due > now() - interval '1 day') as thanked),
    stored as (insert into record (id, name, email, message, text_hash, status, box, version)
      select $1, $2, $3, $4, md5($4), 'new', case when seen.same >= 2 then 'spam' else 'inbox' end, 1
      from seen where seen.hits < 10 and seen.thanked < 1000 returning id, created_at),
    messages as (insert into message (id, record, recipient, payload, state)
      values ($5, $1, 'team@example.test', $6, 'waiting'), ($7, $1, $3, $6, 'waiting')),
    logged as (insert into event (id, record, kind) values ($8, $1, 'created')),
    keyed as (insert into request_key (path, key, hash) values ('/api/contacts', $10, md5($4))),
    counted as (insert into hit (ip) values ($9))
  select id, created_at from stored`

type Query = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

/** On Postgres by a URL, on the embedded database by a folder. */
const connect = async (database: string): Promise<Query> => {
  if (database.startsWith('postgres:')) {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: database, max: 10 })
    return (text, values) => pool.query(text, values)
  }
  const { PGlite } = await import('@electric-sql/pglite')
  const db = await PGlite.create(database)
  return (text, values) => db.query(text, values)
}

const query = await connect(String(process.argv[2]))
for (const table of tables) await query(table)

const server = createServer(async (request, response) => {
  try {
    const { name, email, message } = JSON.parse(await text(request))
    const payload = JSON.stringify({ subject: 'New message', name, text: message })
    const ip = String(request.headers['x-forwarded-for'])
    const key = String(request.headers['idempotency-key'] ?? randomUUID())
    const { rows } = await query(statement, [
      randomUUID(),
      name,
      email,
      message,
      randomUUID(),
      payload,
      randomUUID(),
      randomUUID(),
      ip,
      key,
    ])
    const [stored] = rows
    response.writeHead(201, { 'Content-Type': 'application/json' })
    response.end(
      JSON.stringify({ success: true, data: { _id: stored?.id, createdAt: stored?.created_at } }),
    )
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}).listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`)
