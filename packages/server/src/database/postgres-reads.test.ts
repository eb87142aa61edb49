import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import type { PostgresPool } from './postgres-pool.ts'
import { PostgresReads } from './postgres-reads.ts'

const rows: { fails: string[]; isGivenUp: boolean }[] = [
  { fails: ['declare'], isGivenUp: false },
  { fails: ['begin'], isGivenUp: false },
  { fails: ['declare', 'rollback'], isGivenUp: true },
]

for (const { fails, isGivenUp } of rows)
  test(`a connection whose ${fails.join(' and ')} failed is ${isGivenUp ? 'given up' : 'used again'}`, async () => {
    const asked: string[] = []
    const released: unknown[] = []
    const client = {
      query: async (text: string) => {
        const [verb = ''] = text.split(' ')
        asked.push(verb)
        if (fails.includes(verb)) throw new Error(`${verb} failed`)
        return { rows: [] }
      },
      release: (failure?: unknown) => released.push(failure),
    } as unknown as pg.PoolClient
    const pool = { connect: async () => client } as unknown as PostgresPool
    const reads = new PostgresReads(pool, { max: 2, readMs: 1000 })
    await assert.rejects(reads.rows('select 1', [], { cost: 'slow' }), { message: `${fails[0]} failed` })
    assert.equal(asked.at(-1), 'rollback')
    assert.deepEqual(
      released.map((failure) => failure !== undefined),
      [isGivenUp],
    )
  })
