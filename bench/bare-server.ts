import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

/**
 * What a call could cost at least: Fastify, the same statement through the bare driver, the same bytes out.
 * Arguments: database file, statement, bytes to send.
 */
const [file = '', sql = '', parameters = '[]', bytes = ''] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
database.exec('pragma cache_size = -65536; pragma mmap_size = 1073741824')
const statement = database.prepare(sql)
const values = JSON.parse(parameters)
const body = Buffer.from(bytes, 'base64')
const app = Fastify({ logger: false })
app.get('/rows', (_request, reply) => {
  statement.all(...values)
  reply.header('content-type', 'application/json;charset=UTF-8').send(body)
})
await app.listen({ port: 0 })
process.send?.({ port: (app.server.address() as { port: number }).port })
