import assert from 'node:assert/strict'
import { Wharf } from '@wharf/sdk'
import { type Answer, Client, reverseCleanup, TestNodes, testEngine } from '@wharf/testkit'
import { type Cut, LossyNetwork } from '../lossy-network.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { type Kind, kindsFor, type Made, recordsOf, repeatable } from './kinds.ts'

interface Figures {
  readonly created: number
  /** Calls with one key that were made at the same moment, in all. */
  readonly callers: number
  readonly lost: Readonly<Record<Cut, number>>
  readonly seconds: number
}

const concurrentCallers = 24
const maxTries = 200
/** A connection lasts for two and a half requests on average: two in five are lost. */
const maxExchanges = 4

type Send = (kind: Kind, name: string, key: string) => Promise<Pick<Answer, 'status' | 'body'>>

/** Retries with the same key until it gets an answer. */
const withRetries =
  (client: Client): Send =>
  async ({ path, params }, name, key) => {
    for (let tries = 0; tries < maxTries; tries++) {
      const answer = await client
        .post(path, { params: params(name) }, { 'idempotency-key': key })
        .catch(() => undefined)
      if (answer !== undefined) return answer
    }
    throw new Error(`${path} had no answer after ${maxTries} tries`)
  }

/** The same with the SDK, which retries automatically. */
const withSdk =
  (wharf: Wharf): Send =>
  ({ path, params }, name, key) =>
    wharf.request({
      method: 'POST',
      path,
      body: JSON.stringify({ params: params(name) }),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })

/**
 * Creates over connections that break at any moment, repeated until they are answered, some by several callers at once.
 * On PostgreSQL two nodes receive them, and a repetition is sent to either.
 */
export async function idempotentCreates(
  t: { after(work: () => Promise<void>): void },
  { count, random }: { count: number; random: SeededRandom },
): Promise<Figures> {
  const cleanup = reverseCleanup(t)
  const { servers, admins } = await TestNodes.start(cleanup, testEngine === 'postgres' ? 2 : 1)
  const [admin] = admins as [Client]
  const urls = servers.map(({ url }) => url)
  const network = await LossyNetwork.to(urls, cleanup, { random: random.fork(0), maxExchanges })
  const { accessKeyId: id, accessKeySecret: secret } = (servers[0] ?? assert.fail()).bootstrap
  const retry = { tries: maxTries, firstPauseMs: 2, maxPauseMs: 20 }
  const variants = {
    client: withRetries(new Client(network.url, admin.credential)),
    sdk: withSdk(new Wharf({ url: network.url, accessKey: { id, secret }, retry })),
    direct: withRetries(admin),
  }
  const kinds = await kindsFor(admin)
  const before = await Promise.all(kinds.map((kind) => recordsOf(kind, admin)))
  const returned = kinds.map((): Made[] => [])
  let callers = 0

  const create = async (number: number): Promise<void> => {
    const own = random.fork(number + 1)
    const which = number % kinds.length
    const kind = kinds[which] as Kind
    const [name, key] = [`made-${number}`, own.hex(32)]
    const copies = own.happens(0.3) ? own.between(2, 4) : 1
    callers += copies
    const senders = Array.from({ length: copies }, () => (own.happens(0.25) ? variants.sdk : variants.client))
    const answers = await Promise.all(senders.map((send) => send(kind, name, key)))
    // and once more without faults
    const last = await variants.direct(kind, name, key)
    const shown = [...answers, last].map(repeatable)
    assert.match(shown[0]?.text ?? '', /^200 /, `${kind.path} ${name}`)
    assert.equal(new Set(shown.map(({ text }) => text)).size, 1, `different answers: ${JSON.stringify(shown)}`)
    assert.ok(shown.filter(({ hasSecret }) => hasSecret).length <= 1, 'a secret was shown twice')
    const { uuid } = last.body.inventory as { uuid: string }
    returned[which]?.push({ uuid, name })
  }

  const began = performance.now()
  let next = 0
  const caller = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) await create(number)
  }
  await Promise.all(Array.from({ length: concurrentCallers }, caller))
  const seconds = (performance.now() - began) / 1000

  let created = 0
  for (const [which, kind] of kinds.entries()) {
    const old = new Set(before[which]?.map(({ uuid }) => uuid))
    const made = (await recordsOf(kind, admin)).filter(({ uuid }) => !old.has(uuid))
    created += made.length
    assert.deepEqual(made.toSorted(byName), returned[which]?.toSorted(byName), `what there is of ${kind.path}`)
  }
  for (const { logText } of servers)
    assert.doesNotMatch(logText, /"level":(50|60)/, 'a lost connection is not an error of the server')
  return { created, callers, lost: network.cuts, seconds }
}

const byName = (a: Made, b: Made): number => (a.name < b.name ? -1 : Number(a.name > b.name))
