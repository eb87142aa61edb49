import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type AuditRecord, auditHash, chainStart } from '@wharf/contract'
import type { Client } from '../calls/client.ts'

const maxChainMs = 30_000
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The whole chain, once every entry but those of refused calls that are still counted is chained. */
async function chainedEntries(client: Client): Promise<AuditRecord[]> {
  const unchained = async () =>
    Number((await client.get('/v1/audit-entries?count=true&q=seq is null&q=outcome=Success')).body.total)
  for (const until = performance.now() + maxChainMs; (await unchained()) > 0; await delay(100))
    assert.ok(performance.now() < until, `entries are not chained within ${maxChainMs} ms`)
  const { text } = await client.get('/v1/audit-entries/export')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditRecord)
}

/** Each entry has the next number and the hash of all its fields and of its predecessor. */
export function assertChain(records: readonly AuditRecord[], previous = chainStart): void {
  let hash = previous
  let seq = (records[0]?.seq ?? 1) - 1
  for (const record of records) {
    hash = auditHash(hash, record, sha256)
    seq++
    assert.deepEqual([record.seq, record.hash], [seq, hash], `entry ${record.seq}`)
  }
}

/** Tags are created and deleted only by calls: each that exists or existed has its entries, and no entry is of another. */
export async function assertTagsAudited(client: Client, existing: ReadonlySet<string>): Promise<AuditRecord[]> {
  const records = await chainedEntries(client)
  assertChain(records)
  const uuids = (operation: string): string[] =>
    records
      .filter((record) => record.operation === operation && record.outcome === 'Success')
      .map(({ resourceUuid }) => String(resourceUuid))
  const [created, deleted] = [uuids('CreateTag'), uuids('DeleteTag')]
  assert.equal(new Set(created).size, created.length, 'a tag with two entries of its creation')
  assert.equal(new Set(deleted).size, deleted.length, 'a tag with two entries of its deletion')
  const expected = new Set(created).difference(new Set(deleted))
  assert.deepEqual([...existing.difference(expected)], [], 'changes without an entry')
  assert.deepEqual([...expected.difference(existing)], [], 'entries without a change')
  assert.deepEqual([...new Set(deleted).difference(new Set(created))], [], 'deleted but never created')
  return records
}
