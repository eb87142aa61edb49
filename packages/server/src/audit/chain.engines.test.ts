import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { AuditRecord } from '@wharf/contract'
import { newUuid } from '@wharf/platform/ids.ts'
import { assertChain, MovingClock, TestServer } from '@wharf/testkit'
import { sql } from 'kysely'
import { asSystem } from './audit-source.ts'
import { chainedAtOnce, mergeByTime } from './chain-writer.ts'

interface Digest {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly count: number
  readonly head: string
  readonly previousSignature: string | null
  readonly document: string
  readonly signature: string
}

const folder = mkdtempSync(join(tmpdir(), 'wharf-digests-'))
after(() => rmSync(folder, { recursive: true }))
const clock = new MovingClock()
const options = { clock, auditLimits: { digestEntries: 20, chainMs: 50 } }
const environment = { WHARF_AUDIT_DIGESTS: folder, WHARF_AUDIT_DAYS: '30' }
const server = await TestServer.start({ after }, { ...options, environment })
const { admin } = server
const { audit, database } = server.app.foundation
const day = 86_400_000

const exportText = async (query = ''): Promise<string> => (await admin.get(`/v1/audit-entries/export${query}`)).text
const exported = async (query = ''): Promise<AuditRecord[]> =>
  (await exportText(query))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const digests = async (): Promise<Digest[]> =>
  (await admin.get('/v1/audit-digests?sort=lastSeq')).body.inventories as unknown as Digest[]

const createTag = (name: string) => admin.post('/v1/tags', { params: { name } })

/** The clock does not move unless a test moves it, and an export ends before now. */
async function chainAll(): Promise<void> {
  clock.advance(1000)
  await audit.chainNow()
}

async function changeAll(uuids: readonly string[]): Promise<void> {
  await database.transaction(async (tx) => {
    for (const uuid of uuids)
      audit.trail.collect(tx, { resourceType: 'Tag', uuid, before: null, after: { name: uuid } })
  })
  await chainAll()
}

test('numbers follow the order of the commits, also of concurrent changes of one record', async () => {
  const { body } = await createTag('contended')
  const { uuid } = body.inventory as { uuid: string }
  const window = { name: 'w', selector: [], cron: '0 2 * * *', durationMinutes: 1, timeZone: 'UTC', cutoffMinutes: 0 }
  const made = await admin.post('/v1/maintenance-windows', { params: window })
  const path = `/v1/maintenance-windows/${(made.body.inventory as { uuid: string }).uuid}/actions`
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? admin.put(path, { updateMaintenanceWindow: { durationMinutes: index + 2 } })
        : createTag(`tag ${index}`),
    ),
  )
  await chainAll()
  const records = await exported()
  assertChain(records)
  assert.equal(records[0]?.seq, 1)
  assert.ok(records.some(({ resourceUuid }) => resourceUuid === uuid))
  const updates = records.filter(({ operation }) => operation === 'UpdateMaintenanceWindow')
  assert.equal(updates.length, 20)
  let minutes: unknown = 1
  for (const { changes } of updates) {
    assert.equal(changes.durationMinutes?.before, minutes)
    minutes = changes.durationMinutes?.after
  }
})

test('a change is in the trail as soon as its call is answered, also while another node chains', async () => {
  const setLease = (lease: { owner: string | null; leaseUntil: number }) =>
    database.transaction((tx) => tx.updateTable('auditChain').set(lease).execute())
  await setLease({ owner: 'another node', leaseUntil: Date.now() + day })
  try {
    const { body } = await createTag('seen at once')
    const { uuid } = body.inventory as { uuid: string }
    const found = (await admin.get(`/v1/audit-entries?q=resourceUuid=${uuid}`)).body
      .inventories as unknown as AuditRecord[]
    assert.deepEqual(
      found.map(({ operation, seq }) => [operation, seq > 0]),
      [['CreateTag', true]],
    )
  } finally {
    await setLease({ owner: null, leaseUntil: 0 })
  }
})

test('more changes than one transaction chains are all chained, in their order', async () => {
  const uuids = Array.from({ length: chainedAtOnce + 100 }, newUuid)
  await changeAll(uuids)
  const records = await exported()
  assertChain(records)
  const ours = new Set(uuids)
  const chained = records.map(({ resourceUuid }) => String(resourceUuid)).filter((uuid) => ours.has(uuid))
  assert.deepEqual(chained, uuids)
})

test('entries of two tables are merged by time, each in its own order', () => {
  const rows = (...times: number[]) => times.map((endDate) => ({ endDate }))
  assert.deepEqual(mergeByTime(rows(1, 9, 3), rows(2, 4)), rows(1, 2, 4, 9, 3))
  assert.deepEqual(mergeByTime(rows(), rows(2, 1)), rows(2, 1))
  assert.deepEqual(mergeByTime(rows(5), rows()), rows(5))
})

test('what a text column cannot store is hashed as it is stored', async () => {
  const change = { resourceType: 'Tag', uuid: 'ef'.repeat(16), before: null } as const
  await database.transaction(async (tx) =>
    audit.trail.collect(tx, { ...change, after: { name: `half ${'😀'.charAt(0)} and \0` } }),
  )
  await chainAll()
  const records = await exported()
  assertChain(records)
  assert.equal(records.find(({ resourceUuid }) => resourceUuid === change.uuid)?.resourceName, 'half \uFFFD and \uFFFD')
})

test('digests cover the chain without gaps, are signed and linked, and are written to the folder', async () => {
  await createTag('before the hour ends')
  await audit.chainNow()
  clock.advance(2 * 3_600_000)
  await chainAll()
  const records = await exported()
  const { publicKey } = (await admin.get('/v1/audit-digests/public-key')).body as { publicKey: string }
  let [previous, next]: [string | null, number] = [null, 1]
  const signed = await digests()
  for (const digest of signed) {
    assert.ok(verify(null, Buffer.from(digest.document), publicKey, Buffer.from(digest.signature, 'base64')))
    const { createDate: _, ...stated } = JSON.parse(digest.document)
    const { firstSeq, lastSeq, count, head, previousSignature } = digest
    assert.deepEqual(stated, { firstSeq, lastSeq, count, head, previousSignature, expiredSeq: 0 })
    assert.deepEqual([firstSeq, previousSignature, count], [next, previous, lastSeq - firstSeq + 1])
    assert.ok(count <= 20)
    assert.equal(records[lastSeq - 1]?.hash, head)
    ;[previous, next] = [digest.signature, lastSeq + 1]
  }
  assert.equal(next - 1, records.length, 'the last hour is covered too')
  for (let wait = 0; wait < 50 && readdirSync(folder).length < signed.length; wait++) await delay(100)
  const files = readdirSync(folder).sort()
  assert.deepEqual(
    files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))),
    signed.map(({ document, signature }) => ({ document, signature, publicKey })),
  )
})

test('an export contains the entries of its period, in every format', async () => {
  const from = new Date(clock.now()).toISOString()
  clock.advance(5000)
  await admin.post('/v1/tags', { params: { name: '=1+1, "quoted"' } })
  clock.advance(5000)
  const to = new Date(clock.now()).toISOString()
  await createTag('later')
  await chainAll()
  const [entry, ...others] = await exported(`?from=${from}&to=${to}`)
  assert.deepEqual([entry?.operation, entry?.resourceName, others], ['CreateTag', '=1+1, "quoted"', []])
  const csv = (await exportText(`?from=${from}&to=${to}&format=csv`)).split('\r\n')
  assert.match(csv[0] ?? '', /^uuid,seq,startDate,endDate,requestId,managementNodeUuid,operation,/)
  assert.ok(csv[1]?.includes(`,Tag,${entry?.resourceUuid},"'=1+1, ""quoted""",`), csv[1] ?? '')
  assert.deepEqual(csv.slice(2), [''])
  const ocsf = JSON.parse(await exportText(`?from=${from}&to=${to}&format=ocsf`))
  assert.partialDeepStrictEqual(ocsf, {
    class_uid: 6003,
    category_uid: 6,
    activity_id: 1,
    type_uid: 600301,
    severity_id: 1,
    status_id: 1,
    time: Date.parse(entry?.startDate ?? ''),
    metadata: { version: '1.6.0', uid: entry?.uuid, sequence: entry?.seq, product: { name: 'Wharf' } },
    actor: { user: { name: 'admin', uid: entry?.userUuid, type_id: 2 } },
    api: { operation: 'CreateTag', response: { code: 200 } },
    src_endpoint: { ip: '127.0.0.1' },
    resources: [{ uid: entry?.resourceUuid, type: 'Tag' }],
  })
  const nothing = await admin.get(`/v1/audit-entries/export?from=${to}&to=${from}`)
  assert.equal(nothing.status, 400)
  assert.match(nothing.text, /from must be earlier than to/)
  assert.equal((await admin.get('/v1/audit-entries/export?format=xml')).status, 400)
})

test('the retention removes entries up to a digest, which stays; the rest of the chain still verifies', async () => {
  const before = await digests()
  clock.advance(31 * day)
  await asSystem('Retention', () => audit.removeOld())
  await chainAll()
  assert.equal((await exported())[0]?.seq, 1, 'nothing is removed before a digest states it')
  await createTag('recent')
  await chainAll()
  clock.advance(10 * 60_000)
  await asSystem('Retention', () => audit.removeOld())
  await chainAll()
  const records = await exported()
  const last = before.at(-1)
  const signed = (await digests()).at(-1)
  assert.equal(JSON.parse(signed?.document ?? '').expiredSeq, last?.lastSeq)
  assert.equal(records[0]?.seq, (last?.lastSeq ?? 0) + 1)
  assertChain(records, last?.head)
  assert.deepEqual((await digests()).slice(0, before.length), before)
  const total = async (q: string) => (await admin.get(`/v1/audit-entries?count=true&q=${q}`)).body.total
  assert.equal(await total(`seq<=${last?.lastSeq}`), 0)
  const removal = records.find(
    ({ operation, resourceType }) => operation === 'Retention' && resourceType === 'AuditEntry',
  )
  assert.deepEqual([removal?.actorKind, removal?.count], ['System', last?.lastSeq])
})

test('an export without an end contains every entry, also those that a clock has dated later than now', async () => {
  clock.advance(2 * day)
  await createTag('dated later')
  await chainAll()
  clock.advance(-2 * day)
  assert.ok((await exported()).some(({ resourceName }) => resourceName === 'dated later'))
})

test('an entry that was added beside the chain is in every export and a warning, and the retention keeps it', async (t) => {
  await changeAll(Array.from({ length: 150 }, newUuid))
  const row = await database.read
    .selectFrom('auditEntries')
    .selectAll()
    .where('seq', 'is not', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  const largest = await database.read
    .selectFrom('auditEntries')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  const add = (seq: number, id: number) =>
    database.transaction((tx) =>
      tx
        .insertInto('auditEntries')
        .values({ ...row, seq, id: Number(largest.id) + id, uuid: newUuid(), actorName: 'added' })
        .execute(),
    )
  const endOfPage = (await exported())[99]?.seq ?? assert.fail('the export has one page')
  await database.transaction((tx) => sql`drop index "auditEntriesBySeq"`.execute(tx))
  t.after(async () => {
    await database.transaction(async (tx) => {
      await tx.deleteFrom('auditEntries').where('actorName', '=', 'added').execute()
      await sql`create unique index "auditEntriesBySeq" on "auditEntries" ("seq") where "seq" is not null`.execute(tx)
    })
  })
  const numbers = [9_000_000, 0, -5, endOfPage]
  for (const [index, seq] of numbers.entries()) await add(seq, 1_000_000 + index)
  const added = (await exported()).filter(({ actorName }) => actorName === 'added').map(({ seq }) => seq)
  assert.deepEqual(added, [endOfPage, -5, 0, 9_000_000])
  // dated like the newest entries, so that it is the only one of this period but for the chained ones
  await createTag('of the period')
  await chainAll()
  await database.transaction((tx) =>
    tx
      .updateTable('auditEntries')
      .set({ endDate: clock.now() - 500 })
      .where('seq', '=', 9_000_000)
      .execute(),
  )
  const ofPeriod = await exported(`?from=${new Date(clock.now() - 1000).toISOString()}`)
  assert.ok(ofPeriod.some(({ seq }) => seq === 9_000_000))
  assert.ok(ofPeriod.some(({ resourceName }) => resourceName === 'of the period'))
  await asSystem('Retention', () => audit.removeOld())
  assert.ok((await exported()).some(({ seq }) => seq === -5))
  await audit.chainNow()
  assert.match(
    audit.warnings().join(),
    /it contains entry -5, which somebody has added, because the chain has the entries \d+ to \d+; delete that entry first/,
  )
})
