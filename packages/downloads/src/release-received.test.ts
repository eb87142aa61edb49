import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'
import { releaseReceived } from './release-received.ts'
import { listen } from './testing/source.ts'

test('responses that follow one another on a connection are whole', async (t) => {
  const body = Buffer.alloc(2 ** 20, 'wharf')
  const { port } = await listen(
    t,
    createServer((_, response) => response.end(body)),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const sockets = new Set()
  for (let call = 1; call <= 3; call++) {
    const [response] = (await once(get({ port, agent }), 'response')) as [IncomingMessage]
    const { socket } = response
    sockets.add(socket)
    const isReleasing = (): boolean => (socket.listeners('data') as unknown[]).includes(releaseBuffer)
    releaseReceived(response)
    assert.ok(isReleasing())
    assert.ok(body.equals(await buffer(response)), `response ${call}`)
    assert.ok(!isReleasing())
  }
  assert.equal(sockets.size, 1)
})
