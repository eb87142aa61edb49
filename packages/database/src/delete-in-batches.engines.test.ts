import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { testDatabase } from '@wharf/testkit'
import type { Database } from './database.ts'
import { deleteInBatches } from './delete-in-batches.ts'

test('rows are deleted in several transactions, and others get in between', async (t) => {
  const database = await testDatabase(t)
  const rows = 3000
  await database.transaction(async (tx) => {
    for (let from = 0; from < rows; from += 500)
      await tx
        .insertInto('settings')
        .values(Array.from({ length: 500 }, (_, n) => ({ name: `old ${from + n}`, value: 'x' })))
        .execute()
  })
  const limits: number[] = []
  let isOver = false
  const deleting = deleteInBatches(database, async (tx, limit) => {
    limits.push(limit)
    const old = tx.selectFrom('settings').select('name').where('name', 'like', 'old %').limit(limit)
    const { numDeletedRows } = await tx.deleteFrom('settings').where('name', 'in', old).executeTakeFirst()
    return Number(numDeletedRows)
  }).finally(() => {
    isOver = true
  })
  await database.transaction((tx) => tx.insertInto('settings').values({ name: 'new', value: 'x' }).execute())
  assert.equal(isOver, false)
  assert.equal(await deleting, rows)
  assert.ok(
    limits.length > 2 && limits[0] === 200 && limits.every((limit) => limit >= 100 && limit <= 5000),
    `${limits}`,
  )
  const left = await database.read.selectFrom('settings').select('name').where('name', 'in', ['new', 'old 1']).execute()
  assert.deepEqual(left, [{ name: 'new' }])
})

test('a batch that fails ends it, and those before it stay deleted', async (t) => {
  const database = await testDatabase(t)
  let batches = 0
  const deleting = deleteInBatches(database, async (_tx, limit) => {
    if (++batches === 3) throw new Error('the third')
    return limit
  })
  await assert.rejects(deleting, /the third/)
})

const costs: [what: string, costs: { commitMs: number; statementMs: number }, limits: RegExp][] = [
  ['a slow commit does not make batches smaller', { commitMs: 20, statementMs: 0 }, /^200,400,800,1600$/],
  ['slow statements make batches smaller, down to 100 rows', { commitMs: 0, statementMs: 25 }, /^200,100,100,100$/],
]
for (const [what, { commitMs, statementMs }, expected] of costs)
  test(what, async () => {
    const limits: number[] = []
    const transaction: Database['transaction'] = async (work) => {
      const result = await work(undefined as never)
      await delay(commitMs)
      return result
    }
    await deleteInBatches({ transaction } as Database, async (_tx, limit) => {
      limits.push(limit)
      if (statementMs > 0) await delay(statementMs)
      return limits.length === 4 ? 0 : limit
    })
    assert.match(limits.join(), expected)
  })
