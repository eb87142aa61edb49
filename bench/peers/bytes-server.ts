import Fastify from 'fastify'

/** What an answer could cost at least: Fastify and these bytes, base64 in the first argument. */
const bytes = Buffer.from(process.argv[2] ?? '', 'base64')
const app = Fastify({ logger: false })
app.get('/', (_request, reply) => reply.header('content-type', 'application/json;charset=UTF-8').send(bytes))
await app.listen({ port: 0 })
process.send?.({ port: (app.server.address() as { port: number }).port })
