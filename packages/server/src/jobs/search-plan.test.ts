import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase, testEngine } from '@wharf/testkit'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { createQueryId } from 'kysely'
import { JobStore } from './store.ts'

const claimant = { owner: 'o', nodeUuid: 'n', operations: ['A', 'B'], running: ['x'], leaseMs: 1, limit: 10 }

// PostgreSQL decides by what it has counted in a table, and that of a test is empty
if (testEngine === 'sqlite')
  test('jobs to run are looked for among those that have not ended, however many have', async (t) => {
    const database = await testDatabase(t)
    const seen: RootOperationNode[] = []
    const spy: KyselyPlugin = {
      transformQuery: ({ node }) => {
        seen.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const compiled = await database.transaction(async (tx) => {
      const store = new JobStore(database)
      await store.claim(tx.withPlugin(spy) as typeof tx, claimant)
      await store.claim(tx.withPlugin(spy) as typeof tx, { ...claimant, endingBefore: 5 })
      return seen.map((node) => tx.getExecutor().compileQuery(node, createQueryId()))
    })
    assert.equal(compiled.length, 2)
    for (const { sql, parameters } of compiled) {
      const plan = (await database.rows(`explain query plan ${sql}`, parameters)).map(({ detail }) => String(detail))
      assert.ok(
        plan.some((line) => line.includes('jobsActive')),
        plan.join('\n'),
      )
      assert.ok(!plan.some((line) => /SCAN jobs( USING INDEX (?!jobsActive)|$)/.test(line)), plan.join('\n'))
    }
  })
