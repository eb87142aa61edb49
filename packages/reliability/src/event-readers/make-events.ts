import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type TestServer, testEngine } from '@wharf/testkit'
import { sql } from 'kysely'
import type { SeededRandom } from '../seeded-random.ts'

const writers = 8
const maxEventsInChange = 12
/** So many changes of a writer follow each other at once, on average. */
const burst = 10
const maxPauseMs = 250
/** A connection for notifications lasts no longer. */
const maxListeningMs = 500

class RolledBack extends Error {}

interface MakeEventsOptions {
  readonly servers: readonly TestServer[]
  readonly admins: readonly Client[]
  readonly events: number
  readonly random: SeededRandom
  readonly signal: AbortSignal
}

/** Resolves when this many events exist; returns the number of changes that were rolled back. */
export async function makeEvents({ servers, admins, events, random, signal }: MakeEventsOptions): Promise<number> {
  let made = 0
  let rolledBack = 0
  const change = async (own: SeededRandom): Promise<void> => {
    const { database, events: outbox } = own.pick(servers).app.foundation
    const count = own.between(1, maxEventsInChange)
    const isRolledBack = own.happens(0.1)
    try {
      await database.transaction(async (tx) => {
        for (let n = 0; n < count; n++)
          await outbox.record(tx, { type: 'Updated', resourceType: 'Tag', uuid: own.hex(32), isRoutine: true })
        if (testEngine === 'postgres' && own.happens(0.2)) await delay(own.between(0, 10))
        if (isRolledBack) throw new RolledBack()
      })
      made += count
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error
      rolledBack++
    }
  }
  const call = async (own: SeededRandom): Promise<void> => {
    const answer = await own.pick(admins).post('/v1/tags', { params: { name: own.hex(16) } })
    assert.equal(answer.status, 200, answer.text)
    made++
  }
  const write = async (own: SeededRandom): Promise<void> => {
    while (made < events && !signal.aborted) {
      await (own.happens(0.05) ? call(own) : change(own))
      // in bursts, so that nodes lag behind; the pauses are for the readers, which share this process
      if (own.happens(1 / burst)) await delay(own.between(0, maxPauseMs))
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, n) => write(random.fork(1000 + n))))
  return rolledBack
}

/** A node without notifications polls later: a reader may have received events from the other node that it has not seen. */
export async function loseNotifications(
  { foundation }: TestServer['app'],
  random: SeededRandom,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen wharf_commits'`.execute(foundation.database.read)
    await delay(random.between(0, maxListeningMs))
  }
}
