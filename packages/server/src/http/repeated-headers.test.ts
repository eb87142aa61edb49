import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertFailure, rawBytes, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })

const send = (...lines: string[]) =>
  rawBytes(server.url, `GET /healthz HTTP/1.1\r\n${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)

const refused: readonly [name: string, ...lines: string[]][] = [
  ['Host', 'Host: a', 'Host: b'],
  ['host', 'Host: a', 'host: a'],
  ['HOST', 'X: 1', 'Host: a', 'Accept: x', 'HOST: b'],
  ['Authorization', 'Host: a', 'Authorization: OAuth x', 'Authorization: OAuth y'],
  ['Date', 'Host: a', 'Date: x', 'Date: y'],
  ['X-Date', 'Host: a', 'X-Date: x', 'X-Date: y'],
  ['Content-Type', 'Host: a', 'Content-Type: application/json', 'Content-Type: text/plain'],
  ['X-Job-UUID', 'Host: a', 'X-Job-UUID: x', 'X-Job-UUID: y'],
  ['Idempotency-Key', 'Host: a', 'Idempotency-Key: x', 'Idempotency-Key: y'],
  ['Upload-Offset', 'Host: a', 'Upload-Offset: 0', 'Upload-Offset: 1'],
]

for (const [name, ...lines] of refused)
  test(`a single-value header with two values is rejected: ${lines.join(', ')}`, async () => {
    const details = `the header ${name} was sent more than once; send it once`
    assertFailure(await send(...lines), { status: 400, code: 'SYS.1007', details })
  })

test('lists may be sent in several lines, and the same value twice', async () => {
  for (const lines of [
    ['Accept: a', 'Accept: b'],
    ['X-Forwarded-For: 10.0.0.1', 'X-Forwarded-For: 10.0.0.2'],
    ['Prefer: wait=1', 'Prefer: respond-async'],
    ['Content-Type: application/json', 'Content-Type: application/json'],
    ['Cookie: a=1', 'Cookie: b=2'],
    ['__proto__: a', '__proto__: b'],
  ])
    assert.equal((await send('Host: a', ...lines)).status, 200, lines.join())
})
