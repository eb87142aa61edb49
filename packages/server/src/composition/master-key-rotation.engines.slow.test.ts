import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Database } from '@wharf/database/database.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { makeLog } from '@wharf/platform/log.ts'
import { findMasterKey, masterKeyPath, newMasterKey } from '@wharf/platform/master-key.ts'
import { Sealing } from '@wharf/platform/sealing.ts'
import { testDatabase } from '@wharf/testkit'
import { sql } from 'kysely'
import { NodeStore } from '../resources/management-nodes/service.ts'
import { knownFingerprint, openSealing } from './master-key-check.ts'
import { announceRotation, listRunningNodes, MasterKeyRotation, readRotation } from './master-key-rotation.ts'
import type { Settings } from './settings.ts'

/** Of three batches. */
const rowCount = 250
const nodeUuids = ['a'.repeat(32), 'b'.repeat(32)] as const
const idOf = (at: number): string => `row ${String(at).padStart(3, '0')}`
const sealContext = (id: string): string => `trials.value.${id}`

const log = makeLog('fatal')

class Killed extends Error {}

/** Ends with this many transactions: the next one does not begin. */
function mortal(database: Database, transactions: number): Database {
  let left = transactions
  const transaction: Database['transaction'] = (work, options) => {
    if (left-- <= 0) throw new Killed()
    return database.transaction(work, options)
  }
  return Object.assign(Object.create(database) as Database, { transaction })
}

class Fixture {
  readonly #database: OpenedDatabase
  readonly #folder: string
  readonly former: Buffer

  constructor(database: OpenedDatabase, folder: string, former: Buffer) {
    this.#database = database
    this.#folder = folder
    this.former = former
  }

  static async start(t: TestContext): Promise<Fixture> {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(join(folder, 'a'))
    const database = await testDatabase(t)
    const fixture = new Fixture(database, folder, Buffer.alloc(0))
    const sealing = await openSealing(database, fixture.settings('a'))
    const former = findMasterKey(fixture.settings('a')) as Buffer
    const blob = sql.raw(database.engine === 'sqlite' ? 'blob' : 'bytea')
    await database.transaction(async (tx) => {
      await sql`create table "trials" ("uuid" text primary key, "sealedValue" ${blob})`.execute(tx)
      for (let at = 0; at < rowCount; at++)
        await sql`insert into "trials" values (${idOf(at)}, ${sealing.seal(`value ${at}`, sealContext(idOf(at)))})`.execute(
          tx,
        )
    })
    return new Fixture(database, folder, former)
  }

  /** Node b takes the key from a setting, node a from its data folder. */
  settings(node: 'a' | 'b'): Settings {
    const data = join(this.#folder, node)
    const settings = node === 'a' ? { data } : { data, masterKeyFile: masterKeyPath(join(this.#folder, 'a')) }
    return settings as Settings
  }

  get database(): OpenedDatabase {
    return this.#database
  }

  async beat(): Promise<void> {
    const store = new NodeStore(this.#database)
    const row = { hostName: 'x', url: 'http://x', publicUrl: 'http://x', version: '1', status: 'Alive', createDate: 0 }
    await this.#database.transaction(async (tx) => {
      for (const uuid of nodeUuids) await store.upsert(tx, { ...row, uuid } as never)
    })
  }

  async node(database: Database, node: 'a' | 'b'): Promise<{ sealing: Sealing; rotation: MasterKeyRotation }> {
    const settings = this.settings(node)
    const sealing = await openSealing(database, settings)
    const onLost = (error: Error): void => {
      throw error
    }
    const listRunning = () => listRunningNodes(new NodeStore(this.#database))
    const deps = { database, sealing, settings, listRunning, nodeUuid: nodeUuids[node === 'a' ? 0 : 1], onLost }
    return { sealing, rotation: new MasterKeyRotation({ ...deps, log }) }
  }

  async values(): Promise<{ id: string; sealed: Uint8Array }[]> {
    const rows = sql<{ id: string; sealed: Uint8Array }>`select "uuid" as "id", "sealedValue" as "sealed" from "trials"`
    return (await rows.execute(this.#database.read)).rows
  }

  async assertOpens(...sealings: Sealing[]): Promise<void> {
    for (const { id, sealed } of await this.values())
      for (const sealing of sealings) assert.match(sealing.open(sealed, sealContext(id)), /^(value \d+|written later)$/)
  }
}

test('a rotation ends although a node is killed after every transaction, and every value opens throughout', async (t) => {
  const fixture = await Fixture.start(t)
  const { database, former } = fixture
  const other = await fixture.node(database, 'b')
  const token = other.sealing.token('job', 'x')
  const newKey = newMasterKey()
  await announceRotation(database, former, newKey)
  await announceRotation(database, former, newMasterKey())
  let lives = 0
  for (; (await readRotation(database)) !== undefined; lives++) {
    assert.ok(lives < 30, 'the rotation does not end')
    await fixture.beat()
    try {
      const { sealing, rotation } = await fixture.node(mortal(database, lives), 'a')
      await fixture.assertOpens(sealing)
      for (let step = 0; step < 3; step++) await rotation.step()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
    await other.rotation.step()
    const id = `written ${lives}`
    const sealed = other.sealing.seal('written later', sealContext(id))
    await database.transaction((tx) => sql`insert into "trials" values (${id}, ${sealed})`.execute(tx))
    await fixture.assertOpens(other.sealing)
  }
  assert.ok(lives > 5, `${lives} lives`)

  const after = new Sealing(newKey)
  await fixture.assertOpens(after)
  const before = new Sealing(former)
  for (const { id, sealed } of await fixture.values()) assert.throws(() => before.open(sealed, sealContext(id)))
  assert.equal(await knownFingerprint(database), after.fingerprint)
  const restarted = await fixture.node(database, 'a')
  assert.equal(restarted.sealing.fingerprint, after.fingerprint)
  assert.equal(restarted.sealing.token('job', 'x'), token, 'tokens stay valid')
  assert.deepEqual(findMasterKey(fixture.settings('a')), newKey)
})

test('nobody seals with the new key before every running node can open it', async (t) => {
  const fixture = await Fixture.start(t)
  const { database, former } = fixture
  const [first, second] = [await fixture.node(database, 'a'), await fixture.node(database, 'b')]
  await fixture.beat()
  await announceRotation(database, former, newMasterKey())
  for (let step = 0; step < 3; step++) await first.rotation.step()
  assert.equal(first.sealing.fingerprint, new Sealing(former).fingerprint)
  await second.rotation.step()
  await first.rotation.step()
  assert.equal((await readRotation(database))?.phase, 'Sealing')
  await first.rotation.step()
  assert.notEqual(first.sealing.fingerprint, second.sealing.fingerprint)
  const sealed = first.sealing.seal('text', 'context')
  assert.equal(second.sealing.open(sealed, 'context'), 'text')
})

test('a node that did not respond during a whole rotation stops', async (t) => {
  const fixture = await Fixture.start(t)
  const { database, former } = fixture
  const away = await fixture.node(database, 'b')
  await announceRotation(database, former, newMasterKey())
  const { rotation } = await fixture.node(database, 'a')
  await database.transaction((tx) => sql`delete from "managementNodes"`.execute(tx))
  const store = new NodeStore(database)
  const row = { hostName: 'x', url: 'http://x', publicUrl: 'http://x', version: '1', status: 'Alive', createDate: 0 }
  await database.transaction((tx) => store.upsert(tx, { ...row, uuid: nodeUuids[0] } as never))
  for (let step = 0; step < 3; step++) await rotation.step()
  assert.equal(await readRotation(database), undefined)
  await assert.rejects(away.rotation.step(), /was rotated while this node did not respond/)
  const stored = readFileSync(masterKeyPath(fixture.settings('a').data), 'utf8')
  assert.ok(!stored.includes(former.toString('base64')))
})
