import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { sql } from 'kysely'
import { Idempotency } from '../jobs/idempotency.ts'
import { buildResources, type Foundation, type Resources } from './resources.ts'
import { removeOld, startUpkeep } from './upkeep.ts'

const dayMs = 86_400_000
/** More than one batch. */
const many = 450

const server = await TestServer.start({ after })
const { foundation } = server.app
const { database } = foundation
const numbers = Array.from({ length: many }, (_, n) => n)
const uuidOf = (kind: string, n: number): string => `${kind}${String(n).padStart(32 - kind.length, '0')}`

const old = Date.now() - 400 * dayMs
const { accountUuid, userUuid } = server.bootstrap
const jobOf = (kind: string, n: number, lastOpDate: number, state: 'Succeeded' | 'Waiting' = 'Succeeded') => ({
  ...{ uuid: uuidOf(kind, n), operation: 'X', subjectUuid: null, accountUuid, userUuid, managementNodeUuid: 'none' },
  ...{ state, progress: 0, position: 0, currentStep: null, errorCode: null, sealedInput: Buffer.from('x') },
  ...{ sealedMemory: null, sealedOutcome: null, owner: null, fence: 0, leaseUntil: 0, deadline: Date.now() + dayMs },
  ...{ cancelRequested: 0 as const, createDate: old, lastOpDate },
})
const keyOf = (n: number, jobUuid: string | null, createDate = old) => ({
  ...{ key: `${jobUuid ?? 'none'} ${n} ${createDate}`, accountUuid, userUuid, fingerprint: 'x', jobUuid },
  ...{ sealedAnswer: null, createDate },
})

const eventOf = (sequence: number, at: number) => ({
  sequence,
  at,
  type: 'Updated',
  resourceType: 'Tag' as const,
  uuid: uuidOf('e', sequence + 2 * many),
  audience: null,
})

const lineOf = (job: number, sequence: number) => ({ jobUuid: uuidOf('a', job), sequence, at: old, line: 'x' })

const countOf = async (table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as "count" from ${sql.table(table)}`.execute(
    database.read,
  )
  return Number(rows[0]?.count)
}

test('removes old rows of every kind in batches, and keeps newer ones', async () => {
  const tables = [
    'events',
    'jobs',
    'jobLogs',
    'idempotencyKeys',
    'sessions',
    'thirdPartyAlerts',
    'deliveries',
    'uploads',
  ]
  await database.transaction(async (tx) => {
    const kept = [jobOf('b', 1, Date.now()), jobOf('b', 2, old, 'Waiting')]
    await tx.insertInto('jobs').values(kept).execute()
    // of a clock that was wrong
    await tx
      .insertInto('events')
      .values(eventOf(-2 * many, Date.now() + dayMs))
      .execute()
    await tx
      .insertInto('idempotencyKeys')
      .values([keyOf(1, kept[0]?.uuid ?? ''), keyOf(1, kept[1]?.uuid ?? ''), keyOf(1, null, Date.now())])
      .execute()
  })
  const before = await Promise.all(tables.map(countOf))
  await database.transaction(async (tx) => {
    await tx
      .insertInto('events')
      .values(
        // before those of the start of this server
        numbers.map((n) => eventOf(n - many, old)),
      )
      .execute()
    await tx
      .insertInto('jobs')
      .values(numbers.map((n) => jobOf('a', n, old)))
      .execute()
    // one of them has more lines than fit into a batch
    await tx
      .insertInto('jobLogs')
      .values(numbers.flatMap((n) => [lineOf(0, n), lineOf(n + 1, 0)]).slice(0, -1))
      .execute()
    await tx
      .insertInto('idempotencyKeys')
      .values(numbers.map((n) => keyOf(n, n % 2 ? null : uuidOf('a', n))))
      .execute()
    await tx
      .insertInto('sessions')
      .values(
        numbers.map((n) => ({
          hash: `h${n}`,
          accountUuid,
          userUuid,
          createDate: old,
          lastUseDate: old,
          kind: 'Password' as const,
          expiredDate: old,
        })),
      )
      .execute()
  })
  const resources = buildResources(foundation)
  await removeOld(foundation, resources, new Idempotency({ ...foundation, ...resources }))
  assert.deepEqual(await Promise.all(tables.map(countOf)), before)
  assert.doesNotMatch(server.logText, /old rows could not be removed/)
})

test('a long removal overlaps with no other removal', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const calls: string[] = []
  const slow = Promise.withResolvers<void>()
  const removal = (name: string, result = Promise.resolve()) => ({
    removeOld: () => {
      calls.push(name)
      return result
    },
  })
  const none = async (): Promise<void> => {}
  const events = { subscribe: () => () => {}, ...removal('events', slow.promise) }
  const others = {
    sessions: { writeUses: none, ...removal('sessions') },
    ...{
      keys: { writeUses: none },
      nonces: { removeOld: none },
      secondFactors: { removeOld: none },
      deviceLogins: { removeOld: none },
      oidc: { signIns: { removeOld: none } },
      expiryReports: { send: none },
    },
    ...{ backupStorage: { probeAll: none, followChanges: () => () => {} }, uploads: { removeExpired: none } },
    ...{
      zips: { removeStrays: none },
      hosts: { probeAll: none, followChanges: () => () => {}, metrics: { removeOld: none } },
      alerts: { removeOld: none },
      verification: { start: () => () => {} },
      chat: { deliveries: removal('deliveries') },
    },
  }
  const stop = startUpkeep(
    {
      ...foundation,
      audit: { removeOld: none },
      events,
      jobs: removal('jobs'),
      systemEvents: { sendHeld: none, removeOld: none },
    } as unknown as Foundation,
    others as unknown as Resources,
    removal('keys') as unknown as Idempotency,
  )
  t.after(stop)
  for (let round = 0; round < 3; round++) t.mock.timers.tick(600_000)
  await new Promise(setImmediate)
  assert.deepEqual(calls, ['events'])
  slow.resolve()
  await new Promise(setImmediate)
  assert.deepEqual(calls, ['events', 'jobs', 'keys', 'sessions', 'deliveries'])
  t.mock.timers.tick(600_000)
  assert.equal(calls.at(-1), 'events')
})
