import { constantTimeEqual } from '@wharf/platform/constant-time.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { logCall, makeLog } from '@wharf/platform/log.ts'
import { makeMetrics } from '@wharf/server/http/metrics.ts'
import { jsonPolicy, jsonType } from '@wharf/server/http/send.ts'
import { HmacKey } from '@wharf/server/resources/identity/request-signatures/hmac-key.ts'
import Fastify from 'fastify'

/**
 * What a signed call that needs no database could cost at least: Fastify, and what the contract requires of every such call
 * in its shortest form. It reports no bad input and serves nothing else.
 * Arguments: access key id, its secret, the answer as base64 of JSON.
 */
const [id = '', secret = '', json = ''] = process.argv.slice(2)
const keys = new Map([[id, new HmacKey(secret, 'sha1')]])
const answer = JSON.parse(Buffer.from(json, 'base64').toString())
const metrics = makeMetrics()
const log = makeLog('info')
const refused = new Error('refused')
const app = Fastify({ logger: false, genReqId: newUuid })

app.addHook('onRequest', ({ id: requestId, raw, headers: { authorization = '', date = '' } }, reply, done) => {
  reply.header('x-request-id', requestId)
  const [, keyId = '', signature = ''] = /^Service (\S+):(\S+)$/.exec(authorization) ?? []
  const [path = ''] = (raw.url ?? '').split('?', 1)
  const expected = keys.get(keyId)?.sign(`${raw.method}\n${date}\n${path}`)
  const isInTime = Math.abs(Date.parse(date) - Date.now()) < 15 * 60_000
  done(isInTime && expected !== undefined && constantTimeEqual(signature, expected) ? undefined : refused)
})

app.addHook('onResponse', ({ id: requestId, method, raw, ip }, { statusCode, elapsedTime }, done) => {
  metrics.observe('GetElaborations', statusCode, elapsedTime / 1000)
  const about = { requestId, method, path: raw.url ?? '', operation: 'GetElaborations', status: statusCode }
  logCall(log, { ...about, ms: elapsedTime, user: id, source: ip })
  done()
})

app.get('/v1/errorcode/elaborations', (request, reply) => {
  if (!/^[A-Z]+\.\d+$/.test((request.query as { code: string }).code)) throw refused
  reply.headers({
    'content-type': jsonType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': jsonPolicy,
  })
  reply.send(Buffer.from(JSON.stringify(answer)))
})

await app.listen({ port: 0 })
process.send?.({ port: (app.server.address() as { port: number }).port })
