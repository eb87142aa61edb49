import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { AuditRecord } from '@wharf/contract'
import { reverseCleanup, TestServer, testOnce } from '@wharf/testkit'
import pg from 'pg'
import { environmentOf, freshHome, runCaptured } from '../../testing/captured-io.ts'
import { rehashed } from '../../testing/generated-trail.ts'

const cleanup = reverseCleanup({ after })
const home = freshHome({ after })
const copies = join(home, 'copied-digests')
mkdirSync(copies)
const server = await TestServer.start(cleanup, {
  // only on request, so that nothing changes while this test tampers
  auditLimits: { digestEntries: 5, chainMs: 3_600_000 },
  environment: { WHARF_AUDIT_DIGESTS: copies },
})
const env = environmentOf(server.bootstrap)
const wharf = (...argv: string[]) => runCaptured(argv, { env, home })

/** Statements of someone who has access to the database itself, beside the server. */
const execute = await openDatabase()

async function openDatabase(): Promise<(sql: string) => Promise<void>> {
  const { WHARF_DATABASE_URL: url, WHARF_DATA: data = '' } = server.environment
  if (url === undefined) {
    const file = new DatabaseSync(join(data, 'wharf.db'), { timeout: 0 })
    cleanup.after(async () => file.close())
    return (sql) => executeUnlocked(file, sql)
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  cleanup.after(() => client.end())
  return async (sql) => void (await client.query(sql))
}

/** Repeats asynchronously while locked: the server in this process must go on to release its lock. */
async function executeUnlocked(file: DatabaseSync, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      file.exec(sql)
      return
    } catch (error) {
      if (attempt === 200 || !String(error).includes('locked')) throw error
      await delay(25)
    }
}

for (let number = 1; number <= 22; number++) {
  await server.admin.post('/v1/tags', { params: { name: `tag ${number}` } })
  await server.app.foundation.audit.chainNow()
}
writeFileSync(join(home, 'key.pem'), (await wharf('audit', 'key')).stdout)

const tables = ['pendingAuditEntries', 'auditEntries', 'auditDigests', 'auditChain']
for (const table of tables) await execute(`create table "${table}Before" as select * from "${table}"`)

let exportCount = 0
/** Exports as the server does, and verifies the files alone. */
async function exportAndVerify(...options: string[]): Promise<{ code: number; stdout: string }> {
  const file = join(home, `export-${++exportCount}.ndjson`)
  const exported = await wharf('audit', 'export', file)
  assert.equal(exported.code, 0, exported.stderr)
  return runCaptured(['audit', 'verify', file, '--key', join(home, 'key.pem'), ...options], { home })
}

/** The entries as the server exports them. */
const readEntries = async (): Promise<AuditRecord[]> =>
  (await wharf('audit', 'export')).stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const setHash = ({ seq, hash }: AuditRecord): Promise<void> =>
  execute(`update "auditEntries" set "hash" = '${hash}' where "seq" = ${seq}`)

test('an untouched database is valid, with its own digests and with the copied ones', async () => {
  const expected = /^Valid: entries 1 to \d+ are complete and unchanged, proven by \d+ digests/
  for (const options of [[], ['--digests', copies]]) {
    const { code, stdout } = await exportAndVerify(...options)
    assert.equal(code, 0, stdout)
    assert.match(stdout, expected)
  }
})

/** Entry 7 is in the middle of the second digest. */
const edit = `update "auditEntries" set "actorName" = 'nobody' where "seq" = 7`

async function editAndHashAgain(): Promise<void> {
  await execute(edit)
  const changed = rehashed(await readEntries())
  for (const entry of changed) await setHash(entry)
  await execute(`update "auditChain" set "lastHash" = '${changed.at(-1)?.hash}'`)
}

async function removeOldest(): Promise<void> {
  await execute(`delete from "auditEntries" where "seq" <= 5`)
  await execute(`update "auditChain" set "firstSeq" = 6`)
}

const tamperings: readonly (readonly [string, () => Promise<void>, RegExp, ...string[]])[] = [
  ['a field is edited', () => execute(edit), /^7: entry 7 was changed or moved/],
  [
    'a value in the changes is edited',
    () => execute(`update "auditEntries" set "changes" = replace("changes", 'tag', 'Tag') where "seq" = 7`),
    /^7: entry 7 was changed or moved/,
  ],
  [
    'a field is edited, and its hash computed again',
    async () => {
      await execute(edit)
      const entries = await readEntries()
      const [changed] = rehashed(entries.slice(6, 7), entries[5]?.hash)
      if (changed) await setHash(changed)
    },
    /^8: entry 8 was changed or moved/,
  ],
  [
    'a field is edited, and all hashes computed again',
    editAndHashAgain,
    /^10: entry 10 does not have the hash that the digest of entries 6 to 10 signed/,
  ],
  ['an entry is deleted', () => execute(`delete from "auditEntries" where "seq" = 7`), /^7: entry 7 is missing/],
  [
    'an entry is deleted, and the others are numbered again',
    async () => {
      await execute(`delete from "auditEntries" where "seq" = 7`)
      await execute(`update "auditEntries" set "seq" = -"seq" where "seq" > 7`)
      await execute(`update "auditEntries" set "seq" = -"seq" - 1 where "seq" < 0`)
    },
    /^7: entry 7 was changed or moved/,
  ],
  [
    'an entry is added, and the others are numbered again',
    async () => {
      await execute(`update "auditEntries" set "seq" = -"seq" where "seq" > 7`)
      await execute(`update "auditEntries" set "seq" = -"seq" + 1 where "seq" < 0`)
      const names = Object.keys((await readEntries())[0] ?? {}).filter((name) => name !== 'seq' && name !== 'uuid')
      const columns = names.map((name) => `"${name}"`).join()
      const uuid = 'f'.repeat(32)
      await execute(
        `insert into "auditEntries" ("uuid", "seq", ${columns}) select '${uuid}', 8, ${columns} from "auditEntries" where "seq" = 7`,
      )
    },
    /^8: entry 8 was changed or moved/,
  ],
  [
    'two entries are reordered',
    async () => {
      await execute(`update "auditEntries" set "seq" = -7 where "seq" = 7`)
      await execute(`update "auditEntries" set "seq" = 7 where "seq" = 8`)
      await execute(`update "auditEntries" set "seq" = 8 where "seq" = -7`)
    },
    /^7: entry 7 was changed or moved/,
  ],
  [
    'the beginning is removed up to a digest',
    removeOldest,
    /^1: entries 1 to 5 are missing, although no digest states that they have expired/,
  ],
  [
    'the end is truncated',
    () => execute(`delete from "auditEntries" where "seq" > 13`),
    /^14: entries 14 to \d+ are missing/,
  ],
  [
    'the end is truncated with its digests, but not with their copies',
    async () => {
      await execute(`delete from "auditEntries" where "seq" > 10`)
      await execute(`delete from "auditDigests" where "lastSeq" > 10`)
      await execute(`update "auditChain" set "lastSeq" = 10`)
    },
    // the server may have chained new ones in their place
    /^11: (entries 11 to \d+ are missing|entry 11 was changed or moved)/,
    '--digests',
    copies,
  ],
  [
    'a digest is deleted',
    () => execute(`delete from "auditDigests" where "firstSeq" = 6`),
    /^6: the digest of entries 6 to 10 is missing/,
  ],
  [
    'a digest is edited',
    () =>
      execute(
        `update "auditDigests" set "document" = replace("document", '"count":5', '"count":4') where "firstSeq" = 6`,
      ),
    /The digest of entries 6 to 10 was changed or is of another trail/,
  ],
]

async function restore(): Promise<void> {
  for (const table of tables) {
    await execute(`delete from "${table}"`)
    await execute(`insert into "${table}" select * from "${table}Before"`)
  }
}

for (const [name, tamper, expected, ...options] of tamperings)
  testOnce(`tampering with the database is detected offline: ${name}`, async () => {
    try {
      await tamper()
      const { code, stdout } = await exportAndVerify(...options)
      assert.equal(code, 1, stdout)
      assert.match(stdout, expected)
    } finally {
      await restore()
    }
  })

/** Entries of further digests, which the server signs. */
async function runOn(): Promise<void> {
  for (let number = 1; number <= 12; number++)
    await server.admin.post('/v1/tags', { params: { name: `more ${number}` } })
  await server.app.foundation.audit.chainNow()
}

/** The server keeps its warning: these are the last tests. */
const tamperingsBeforeNewDigests: readonly (readonly [string, () => Promise<void>, RegExp])[] = [
  [
    'signed entries are edited, all hashes computed again, and the digests deleted',
    async () => {
      await editAndHashAgain()
      await execute(`delete from "auditDigests" where "lastSeq" > 5`)
    },
    /^6: the digest of entries 6 to \d+ is missing/,
  ],
  ['the beginning is removed up to a digest', removeOldest, /^1: entries 1 to 5 are missing, although no digest/],
]

for (const [name, tamper, expected] of tamperingsBeforeNewDigests)
  test(`tampering is detected offline although Wharf signs further digests: ${name}`, async () => {
    try {
      await tamper()
      await runOn()
      const { code, stdout } = await exportAndVerify()
      assert.equal(code, 1, stdout)
      assert.match(stdout, expected)
    } finally {
      await restore()
    }
  })

test('a database without the digests that this node signed is a warning', async () => {
  const { body } = await server.anonymous.get('/readyz')
  assert.match(String(body.warnings), /the audit trail in the database is not the one .* entries \d+ to \d+ is missing/)
})
