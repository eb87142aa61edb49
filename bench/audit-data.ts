import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type AuditRecord, auditDigestDocument, auditHash, chainStart, type SignedAuditDigest } from '@wharf/contract'
import { insertRows } from './insert-rows.ts'

const sha256 = (text: string): string => hash('sha256', text)
const uuidOf = (text: string): string => hash('md5', text)

export interface FilledTrail {
  /** A record and a user with many entries. */
  readonly recordUuid: string
  readonly userUuid: string
  /** What a verifier needs beside an export. */
  writeEvidence(files: { readonly key: string; readonly digests: string }): void
}

const operations = ['UpdateHost', 'CreateTag', 'InstallSoftwarePackage', 'LogInByAccount', 'DeleteTag'] as const
const entriesPerDigest = 10_000
const [accountUuid, credentialUuid, managementNodeUuid] = [uuidOf('account'), uuidOf('key'), uuidOf('node')]

interface Owner {
  readonly recordUuid: string
  readonly userUuid: string
}

/** A record and a user have the hundredth part of the entries each. */
const owners: readonly Owner[] = Array.from({ length: 100 }, (_, index) => ({
  recordUuid: uuidOf(`record ${index}`),
  userUuid: uuidOf(`user ${index}`),
}))
const ownerOf = (seq: number): Owner => owners[seq % owners.length] as Owner

/** The time of the last entry; the others are a second apart. */
export const trailEnd = Date.UTC(2026, 0, 1)

/** A chained trail, inserted into the tables. It replaces the entries that a server has written at its start. */
export function fillAuditTrail(file: string, count: number): FilledTrail {
  const database = new DatabaseSync(file)
  // not through the log, which would write each page twice
  database.exec('pragma journal_mode = off; pragma synchronous = off; begin')
  for (const table of ['pendingAuditEntries', 'auditEntries', 'auditDigests']) database.exec(`delete from "${table}"`)
  const keys = generateKeyPairSync('ed25519')
  const digests: SignedAuditDigest[] = []
  let head = chainStart
  insertRows(
    database,
    'auditEntries',
    chainedEntries(count).map(({ startDate, endDate, changes, ...columns }) => {
      head = columns.hash
      const { seq } = columns
      if (seq % entriesPerDigest === 0 || seq === count) digests.push(digestOf(seq, head, digests, keys.privateKey))
      const times = { startDate: Date.parse(startDate), endDate: Date.parse(endDate) }
      return { ...columns, ...times, changes: JSON.stringify(changes) }
    }),
  )
  database.prepare('update "auditChain" set "lastSeq" = ?, "lastHash" = ?').run(count, head)
  database.exec('commit')
  database.close()
  return {
    ...ownerOf(1),
    writeEvidence(files) {
      writeFileSync(files.key, keys.publicKey.export({ type: 'spki', format: 'pem' }))
      writeFileSync(files.digests, digests.map((digest) => `${JSON.stringify(digest)}\n`).join(''))
    },
  }
}

function* chainedEntries(count: number): Generator<AuditRecord, undefined> {
  let last = chainStart
  for (let seq = 1; seq <= count; seq++) {
    const entry = entryOf(seq, trailEnd - (count - seq) * 1000)
    last = auditHash(last, entry, sha256)
    yield { ...entry, hash: last }
  }
}

/** Its members are in the order of canonical JSON, so that they need not be sorted for each hash. */
function entryOf(seq: number, at: number): Omit<AuditRecord, 'hash'> {
  const { recordUuid, userUuid } = ownerOf(seq)
  const operation = operations[seq % operations.length] ?? 'UpdateHost'
  const isDenied = operation === 'LogInByAccount'
  const time = new Date(at).toISOString()
  return {
    accountUuid,
    actorKind: 'AccessKey',
    actorName: `user-${seq % owners.length}`,
    changes: { description: { after: `the description ${seq + 1}`, before: `the description ${seq}` } },
    count: 1,
    credentialUuid,
    endDate: time,
    errorCode: isDenied ? 'ID.1000' : null,
    jobUuid: null,
    managementNodeUuid,
    method: 'PUT',
    operation,
    outcome: isDenied ? 'Denied' : 'Success',
    path: `/v1/hosts/${recordUuid}/actions`,
    requestId: orderedUuid(at, 'f', seq),
    resourceName: `web-${seq % owners.length}`,
    resourceType: 'Host',
    resourceUuid: recordUuid,
    role: 'admin',
    seq,
    sourceIp: '10.0.0.7',
    startDate: time,
    status: isDenied ? 401 : 200,
    userAgent: 'wharf-sdk/1.1.0',
    userUuid,
    uuid: orderedUuid(at, '7', seq),
  }
}

/** The time in front, as the server creates them. */
const orderedUuid = (at: number, version: string, seq: number): string =>
  `${at.toString(16).padStart(12, '0')}${version}${seq.toString(16).padStart(19, '0')}`

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
