import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type AuditRecord, auditDigestDocument, auditHash, chainStart, type SignedAuditDigest } from '@wharf/contract'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const uuidOf = (text: string): string => createHash('md5').update(text).digest('hex')

export interface FilledTrail {
  /** A record and a user with many entries. */
  readonly recordUuid: string
  readonly userUuid: string
  /** What a verifier needs beside an export. */
  writeEvidence(files: { readonly key: string; readonly digests: string }): void
}

const operations = ['UpdateHost', 'CreateTag', 'InstallSoftwarePackage', 'LogInByAccount', 'DeleteTag'] as const
const entriesPerDigest = 10_000
/** One record and one user have a hundredth of the entries each. */
const owners = 100

/** A chained trail, inserted into the tables. It replaces the entries that a server has written at its start. */
export function fillAuditTrail(file: string, count: number): FilledTrail {
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = off; begin')
  for (const table of ['pendingAuditEntries', 'auditEntries', 'auditDigests']) database.exec(`delete from "${table}"`)
  const began = Date.now() - count * 1000
  const keys = generateKeyPairSync('ed25519')
  const digests: SignedAuditDigest[] = []
  let insert: ReturnType<DatabaseSync['prepare']> | undefined
  let hash = chainStart
  for (let seq = 1; seq <= count; seq++) {
    const entry = entryOf(seq, began + seq * 1000)
    hash = auditHash(hash, entry, sha256)
    const columns = { ...entry, hash }
    const names = Object.keys(columns) as (keyof AuditRecord)[]
    insert ??= database.prepare(
      `insert into "auditEntries" (${names.map((name) => `"${name}"`).join()}) values (${names.map(() => '?').join()})`,
    )
    insert.run(...names.map((name) => columnOf(name, columns[name])))
    if (seq % entriesPerDigest === 0 || seq === count) digests.push(digestOf(seq, hash, digests, keys.privateKey))
  }
  database.prepare('update "auditChain" set "lastSeq" = ?, "lastHash" = ?').run(count, hash)
  database.exec('commit')
  database.close()
  return {
    recordUuid: uuidOf('record 1'),
    userUuid: uuidOf('user 1'),
    writeEvidence(files) {
      writeFileSync(files.key, keys.publicKey.export({ type: 'spki', format: 'pem' }))
      writeFileSync(files.digests, digests.map((digest) => `${JSON.stringify(digest)}\n`).join(''))
    },
  }
}

function entryOf(seq: number, at: number): Omit<AuditRecord, 'hash'> {
  const operation = operations[seq % operations.length] ?? 'UpdateHost'
  const isDenied = operation === 'LogInByAccount'
  return {
    uuid: uuidOf(`entry ${seq}`),
    seq,
    startDate: new Date(at).toISOString(),
    endDate: new Date(at).toISOString(),
    requestId: uuidOf(`request ${seq}`),
    managementNodeUuid: uuidOf('node'),
    operation,
    method: 'PUT',
    path: `/v1/hosts/${uuidOf(`record ${seq % owners}`)}/actions`,
    actorKind: 'AccessKey',
    accountUuid: uuidOf('account'),
    userUuid: uuidOf(`user ${seq % owners}`),
    actorName: `user-${seq % owners}`,
    role: 'admin',
    credentialUuid: uuidOf('key'),
    sourceIp: '10.0.0.7',
    userAgent: 'wharf-sdk/1.1.0',
    resourceType: 'Host',
    resourceUuid: uuidOf(`record ${seq % owners}`),
    resourceName: `web-${seq % owners}`,
    changes: { description: { before: `the description ${seq}`, after: `the description ${seq + 1}` } },
    outcome: isDenied ? 'Denied' : 'Success',
    status: isDenied ? 401 : 200,
    errorCode: isDenied ? 'ID.1000' : null,
    jobUuid: null,
    count: 1,
  }
}

/** As the table has it: times in milliseconds, changes as JSON. */
function columnOf(name: keyof AuditRecord, value: AuditRecord[keyof AuditRecord]): string | number | null {
  if (name === 'startDate' || name === 'endDate') return Date.parse(String(value))
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function digestOf(
  lastSeq: number,
  head: string,
  before: readonly SignedAuditDigest[],
  key: KeyObject,
): SignedAuditDigest {
  const firstSeq = before.length * entriesPerDigest + 1
  const document = auditDigestDocument({
    firstSeq,
    lastSeq,
    count: lastSeq - firstSeq + 1,
    head,
    previousSignature: before.at(-1)?.signature ?? null,
    createDate: new Date().toISOString(),
  })
  return { document, signature: sign(null, Buffer.from(document), key).toString('base64') }
}
