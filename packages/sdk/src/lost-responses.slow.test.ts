import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { Wharf } from './wharf.ts'

const count = 150
const concurrency = 25
/** The probability that a request or a response is lost. */
const requestLoss = 0.15
const responseLoss = 0.3

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const [own] = (await server.admin.get('/v1/accesskeys')).body.inventories as { accountUuid: string; userUuid: string }[]
const { accountUuid, userUuid } = own ?? assert.fail()
const lost = { requests: 0, responses: 0, truncated: 0 }

/** Loses the request, the response, or the end of the response. */
const droppingFetch: typeof fetch = async (input, init) => {
  if (Math.random() < requestLoss) {
    lost.requests++
    throw new TypeError('fetch failed')
  }
  const response = await fetch(input, init)
  if (Math.random() >= responseLoss) return response
  await response.arrayBuffer()
  if (Math.random() < 0.5) {
    lost.responses++
    throw new TypeError('fetch failed')
  }
  lost.truncated++
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"inventory":{"uuid"')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return new Response(broken, { status: response.status, headers: response.headers })
}

test(`${count} creates over a lossy network create exactly ${count} records`, async () => {
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
      // no field is unique, so a repeated create would add a second record
      const { inventory } = await wharf.accessKeys.create({ accountUuid, userUuid, description: 'created once' })
      uuids.add(inventory.uuid)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, create))
  const { body } = await server.admin.get('/v1/accesskeys?count=true&q=description=created%20once')
  assert.deepEqual([body.total, uuids.size], [count, count])
  for (const [kind, count] of Object.entries(lost)) assert.ok(count > 10, `${count} ${kind} were lost`)
})
