import { DatabaseSync } from 'node:sqlite'
import { formatTimestamp } from '@wharf/platform/timestamps.ts'
import Fastify from 'fastify'

/**
 * What a call could cost at least: Fastify, the same statement through the bare driver, the same bytes out. Once made
 * from the rows, as any handler has to, and once prepared beforehand, which none could.
 * Arguments: database file, statement, its parameters, bytes to send.
 */
const [file = '', sql = '', parameters = '[]', bytes = ''] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
// like the reader of the server, which maps no file
database.exec('pragma cache_size = -65536; pragma mmap_size = 0')
const statement = database.prepare(sql)
const values = JSON.parse(parameters)
const prepared = Buffer.from(bytes, 'base64')
const type = 'application/json;charset=UTF-8'
const app = Fastify({ logger: false })

app.get('/rows', (_request, reply) => {
  const inventories = statement.all(...values) as Record<string, unknown>[]
  for (const row of inventories) {
    row.createDate = formatTimestamp(row.createDate as number)
    row.lastOpDate = formatTimestamp(row.lastOpDate as number)
  }
  reply.header('content-type', type).send(JSON.stringify({ inventories, success: true, error: null }))
})

app.get('/prepared', (_request, reply) => {
  statement.all(...values)
  reply.header('content-type', type).send(prepared)
})

await app.listen({ port: 0 })
process.send?.({ port: (app.server.address() as { port: number }).port })
