import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { internalAudience } from '@wharf/server/events/outbox.ts'
import { reverseCleanup, TestNodes, type TestServer, testEngine } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'
import { loseNotifications, makeEvents } from './make-events.ts'
import { ReconnectingReader } from './reconnecting-reader.ts'

interface Figures {
  readonly events: number
  /** Changes that were rolled back and must not be published. */
  readonly rolledBack: number
  readonly connections: number
  readonly emptyConnections: number
  readonly seconds: number
}

/** The scenario fails when no reader makes progress for this long. */
const stallTimeoutMs = 30_000

/**
 * Changes of all kinds, some of them rolled back, while readers reconnect. On PostgreSQL at two nodes, with slow
 * transactions, so that event numbers are not in commit order, and with lost notifications.
 */
export async function eventReaders(
  t: { after(work: () => Promise<void>): void },
  { readers: count, events, random }: { readers: number; events: number; random: SeededRandom },
): Promise<Figures> {
  const cleanup = reverseCleanup(t)
  const { servers, admins } = await TestNodes.start(cleanup, testEngine === 'postgres' ? 2 : 1)
  const [{ app }] = servers as [TestServer]
  const from = (await visibleEvents(app, 0)).at(-1)?.sequence ?? 0
  const payloads = new Map<number, string>()
  const readers = Array.from(
    { length: count },
    (_, n) =>
      new ReconnectingReader({ random: random.fork(n), clients: admins, from, maxEvents: events / 3 }, payloads),
  )

  const began = performance.now()
  const over = new AbortController()
  cleanup.after(async () => over.abort())
  let last = Number.POSITIVE_INFINITY
  const reading = Promise.all(readers.map((reader) => reader.read(() => over.signal.aborted || reader.last >= last)))
  const watching = watchProgress(readers, over.signal)
  const losing = testEngine === 'postgres' ? loseNotifications(app, random.fork(2000), over.signal) : undefined
  const making = makeEvents({ servers, admins, events, random, signal: over.signal })
  const rolledBack = await Promise.race([making, failed(Promise.all([reading, losing])), watching])
  const expected = await visibleEvents(app, from)
  last = expected.at(-1)?.sequence ?? 0
  await Promise.race([reading, watching])
  over.abort()
  await losing
  const seconds = (performance.now() - began) / 1000

  assert.ok(expected.length >= events)
  const numbers = expected.map(({ sequence }) => sequence)
  for (const [n, { received }] of readers.entries()) assert.deepEqual(received, numbers, `reader ${n}`)
  for (const { sequence, uuid } of expected) assert.equal(JSON.parse(payloads.get(sequence) ?? '{}').uuid, uuid)
  const sum = (of: (reader: ReconnectingReader) => number): number =>
    readers.reduce((all, reader) => all + of(reader), 0)
  return {
    events: expected.length,
    rolledBack,
    connections: sum(({ connections }) => connections),
    emptyConnections: sum(({ emptyConnections }) => emptyConnections),
    seconds,
  }
}

async function visibleEvents({ foundation }: TestServer['app'], after: number) {
  const rows = await foundation.database.read
    .selectFrom('events')
    .select(['sequence', 'uuid', 'audience'])
    .where('sequence', '>', after)
    .orderBy('sequence')
    .execute()
  return rows.filter(({ audience }) => audience !== internalAudience)
}

/** Never resolves: only a failure counts before the work is done. */
const failed = async (work: Promise<unknown>): Promise<never> => {
  await work
  return new Promise(() => {})
}

async function watchProgress(readers: readonly ReconnectingReader[], signal: AbortSignal): Promise<never> {
  let last = { received: -1, at: performance.now() }
  while (!signal.aborted) {
    const received = readers.reduce((all, reader) => all + reader.received.length, 0)
    if (received > last.received) last = { received, at: performance.now() }
    assert.ok(performance.now() - last.at < stallTimeoutMs, 'the readers make no progress')
    await delay(100)
  }
  return new Promise(() => {})
}
