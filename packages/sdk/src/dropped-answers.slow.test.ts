import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { Wharf } from './wharf.ts'

const count = 1000
const atOnce = 25
/** Of the requests that go out, so many are lost on their way, and so many answers on theirs. */
const lostRequests = 0.15
const lostAnswers = 0.3

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const [own] = (await server.admin.get('/v1/accesskeys')).body.inventories as { accountUuid: string; userUuid: string }[]
const { accountUuid, userUuid } = own ?? assert.fail()
const lost = { requests: 0, answers: 0, halves: 0 }

/** A network that loses things: before the server has seen the call, after it, or in the middle of its answer. */
const droppingFetch: typeof fetch = async (input, init) => {
  if (Math.random() < lostRequests) {
    lost.requests++
    throw new TypeError('fetch failed')
  }
  const response = await fetch(input, init)
  if (Math.random() >= lostAnswers) return response
  await response.arrayBuffer()
  if (Math.random() < 0.5) {
    lost.answers++
    throw new TypeError('fetch failed')
  }
  lost.halves++
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"inventory":{"uuid"')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return new Response(broken, { status: response.status, headers: response.headers })
}

test('a thousand creates over a network that loses answers make exactly a thousand records', async () => {
  const wharf = new Wharf({
    url: server.url,
    accessKey: { id, secret },
    fetch: droppingFetch,
    retry: { tries: 40, firstPauseMs: 2, maxPauseMs: 20 },
  })
  const uuids = new Set<string>()
  let next = 0
  const create = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      // nothing about it is unique, so one that happened twice would be there twice
      const { inventory } = await wharf.accessKeys.create({ accountUuid, userUuid, description: 'made once' })
      uuids.add(inventory.uuid)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, create))
  const { body } = await server.admin.get('/v1/accesskeys?count=true&q=description=made%20once')
  assert.deepEqual([body.total, uuids.size], [count, count])
  for (const [what, times] of Object.entries(lost)) assert.ok(times > 50, `${times} ${what} were lost`)
})
