import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostInventory, TagInventory } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import type { Tables } from '@wharf/database/tables.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { testDatabase } from '@wharf/testkit'
import type { Selectable } from 'kysely'
import type { Change, Outbox } from '../events/outbox.ts'
import { Records } from './records.ts'

type TagRow = Selectable<Tables['tags']>

const uuid = 'a'.repeat(32)
const blue: TagRow = { uuid, name: 'blue', color: null, createDate: 1, lastOpDate: 1 }
const failsWith = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === code && message.test(error.message)

function fixture(database: Database) {
  const published: string[] = []
  const events = {
    record: async (_: unknown, { type }: Change) => void published.push(type),
    hostLabelsOf: async () => null,
  } as unknown as Outbox
  const tags = new Records<TagRow>({ database, events, clock: { now: () => 7 } }, { inventory: TagInventory })
  return { tags, published }
}

test('every change is one row and one event', async (t) => {
  const database = await testDatabase(t)
  const { tags, published } = fixture(database)
  await database.transaction((tx) => tags.insert(tx, blue))
  await database.transaction((tx) => tags.update(tx, uuid, { color: 'red' }))
  assert.deepEqual(await tags.get(uuid), { ...blue, color: 'red', lastOpDate: 7 })
  await database.transaction((tx) => tags.remove(tx, uuid))
  assert.equal(await tags.find(uuid), undefined)
  assert.deepEqual(published, ['Created', 'Updated', 'Deleted'])
})

test('a record that does not exist cannot be read, changed or removed, and no event reports it', async (t) => {
  const database = await testDatabase(t)
  const { tags, published } = fixture(database)
  const missing = failsWith('SYS.1003', new RegExp(`tag .*${uuid}`))
  await assert.rejects(tags.get(uuid), missing)
  await assert.rejects(
    database.transaction((tx) => tags.update(tx, uuid, { color: 'red' })),
    missing,
  )
  await assert.rejects(
    database.transaction((tx) => tags.remove(tx, uuid)),
    missing,
  )
  assert.deepEqual(published, [])
})

test('a taken uuid is reported as such, another conflict as the caller names it', async (t) => {
  const database = await testDatabase(t)
  const { tags, published } = fixture(database)
  const nameTaken = new ApiError('SYS.1002', 'the name is taken')
  const insert = (row: TagRow) => database.transaction((tx) => tags.insert(tx, row, () => nameTaken))
  await insert(blue)
  await assert.rejects(
    insert({ ...blue, name: 'green' }),
    failsWith('SYS.1002', /a tag with the uuid a{32} already exists/),
  )
  await assert.rejects(insert({ ...blue, uuid: 'b'.repeat(32) }), nameTaken)
  assert.deepEqual(published, ['Created'])
})

test('the table must contain the rows', () => {
  // @ts-expect-error the table of hosts has other columns
  const kind: ConstructorParameters<typeof Records<TagRow>>[1] = { inventory: HostInventory }
  assert.ok(kind)
})
