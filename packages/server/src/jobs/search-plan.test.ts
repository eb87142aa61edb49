import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '@wharf/database/database.ts'
import { testDatabase, testEngine } from '@wharf/testkit'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { createQueryId } from 'kysely'
import { NodeStore } from '../resources/management-nodes/service.ts'
import { JobClaimStore } from './job-claim-store.ts'
import { JobStore } from './store.ts'

const claimant = { owner: 'o', nodeUuid: 'n', operations: ['A', 'B'], running: ['x'], leaseMs: 1, limit: 10 }

interface Stores {
  readonly claims: JobClaimStore
  readonly store: JobStore
}

const searches: [string, RegExp, (stores: Stores, tx: Tx) => Promise<unknown>][] = [
  ['jobs to run', /jobsActive\b/, ({ claims }, tx) => claims.claim(tx, claimant)],
  ['jobs to end', /jobsActive\b/, ({ claims }, tx) => claims.claim(tx, { ...claimant, endingBefore: 5 })],
  ['the unfinished jobs of a user', /jobsActive\b/, ({ store }, tx) => store.countActiveOf(tx, 'u', 5)],
  ['the unfinished jobs of a record', /jobsActiveBySubject/, ({ store }, tx) => store.findActive('s', tx)],
  ['stored calls', /jobsStoredCall/, ({ store }, tx) => store.removeCallsBefore(tx, 5, 5)],
  ['the refused calls of a user', /jobsRefusedByUser/, ({ store }, tx) => store.removeRefused(tx, 'u', 5)],
]

// PostgreSQL plans by the statistics of a table, and the table of a test is empty
if (testEngine === 'sqlite')
  for (const [name, index, search] of searches)
    test(`${name} are found by an index that contains no others, however many exist`, async (t) => {
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
        const claims = new JobClaimStore({ database, nodes: new NodeStore(database) })
        await search({ claims, store: new JobStore(database) }, tx.withPlugin(spy) as typeof tx)
        return seen.map((node) => tx.getExecutor().compileQuery(node, createQueryId()))
      })
      assert.ok(compiled.length > 0)
      for (const { sql, parameters } of compiled) {
        const found = await database.rows(`explain query plan ${sql}`, parameters)
        const plan = found.objects().map(({ detail }) => String(detail))
        assert.ok(
          plan.some((line) => index.test(line)),
          plan.join('\n'),
        )
        assert.ok(
          !plan.some((line) => /SCAN jobs( USING INDEX (?!jobsActive|jobsStoredCall)|$)/.test(line)),
          plan.join('\n'),
        )
      }
    })
