import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { type AuditRecord, canonicalJson, type SignedAuditDigest } from '@wharf/contract'
import { entryTime, type GeneratedTrail, generateTrail, linesOf, rehashed } from '../testing/generated-trail.ts'
import { type TrailEvidence, type TrailResult, verifyTrail } from './verify-trail.ts'

// entries 1 to 20 have digests, 21 and 22 have none yet
const keys = generateKeyPairSync('ed25519')
const trail = generateTrail(22, 5, keys)

type Copy = { entries: AuditRecord[]; digests: SignedAuditDigest[]; key: GeneratedTrail['publicKey'] }

function verifyCopy(
  change: (copy: Copy) => void,
  period: Pick<TrailEvidence, 'from' | 'to'> = {},
): Promise<TrailResult> {
  const copy = { entries: structuredClone(trail.entries), digests: [...trail.digests], key: trail.publicKey }
  change(copy)
  return verifyTrail({ lines: linesOf(copy.entries), digests: copy.digests, key: copy.key, ...period })
}

/** Entry 7 is in the middle of a digest. */
const seven = ({ entries }: Copy) => entries[6] as AuditRecord

test('an unchanged trail is valid up to its last digest', async () => {
  assert.deepEqual(await verifyCopy(() => {}), {
    isValid: true,
    problems: [],
    problemCount: 0,
    entryCount: 22,
    firstSeq: 1,
    lastSeq: 22,
    provenFirstSeq: 1,
    provenLastSeq: 20,
    digestCount: 4,
    provenDate: entryTime(21),
    expiredSeq: 0,
  })
})

const isOfAnotherTrail = / of another trail/

const tamperings: [string, (copy: Copy) => void, ...[number | null, RegExp][]][] = [
  ['an edited field', (copy) => Object.assign(seven(copy), { actorName: 'nobody' }), [7, /entry 7 was changed/]],
  [
    'an edited value of a change',
    (copy) => Object.assign(seven(copy), { changes: { name: { before: 'green', after: 'red' } } }),
    [7, /entry 7 was changed/],
  ],
  [
    'an added entry whose number no entry has',
    (copy) => copy.entries.push({ ...seven(copy), seq: 0 }, { ...seven(copy), seq: -5 }),
    [-5, /entry -5 was added/],
    [0, /entry 0 was added: the numbers of entries start at 1/],
  ],
  ['a removed field', (copy) => Reflect.deleteProperty(seven(copy), 'sourceIp'), [7, /entry 7 was changed/]],
  ['an additional field', (copy) => Object.assign(seven(copy), { note: '' }), [7, /entry 7 was changed/]],
  [
    'an edited hash',
    (copy) => Object.assign(seven(copy), { hash: '0'.repeat(64) }),
    [7, /entry 7 was changed/],
    [8, /entry 8 was changed or moved/],
  ],
  [
    'an edited field with its hash computed again',
    ({ entries }) => {
      const changed = { ...(entries[6] as AuditRecord), actorName: 'nobody' }
      entries.splice(6, 1, ...rehashed([changed], entries[5]?.hash))
    },
    [8, /entry 8 was changed or moved/],
  ],
  [
    'an edited field with all hashes computed again',
    (copy) => {
      Object.assign(seven(copy), { actorName: 'nobody' })
      copy.entries = rehashed(copy.entries)
    },
    [10, /entry 10 does not have the hash that the digest of entries 6 to 10 signed/],
  ],
  ['a deleted entry', ({ entries }) => entries.splice(6, 1), [7, /entry 7 is missing/]],
  ['deleted entries', ({ entries }) => entries.splice(6, 10), [7, /entries 7 to 16 are missing/]],
  ['a deleted first entry', ({ entries }) => entries.shift(), [1, /entry 1 is missing/]],
  [
    'a beginning that is deleted up to a digest',
    ({ entries }) => entries.splice(0, 5),
    [1, /entries 1 to 5 are missing, although no digest states that they have expired/],
  ],
  [
    'a beginning that is deleted beyond what has expired',
    (copy) => {
      copy.digests = generateTrail(22, 5, keys, { expiredSeq: 5 }).digests
      copy.entries.splice(0, 10)
    },
    [6, /entries 6 to 10 are missing, although/],
  ],
  [
    'a deleted entry, the others numbered again',
    ({ entries }) => {
      entries.splice(6, 1)
      for (const [index, entry] of entries.entries()) Object.assign(entry, { seq: index + 1 })
    },
    [7, /entry 7 was changed or moved/],
  ],
  [
    'a deleted entry, the others numbered and hashed again',
    (copy) => {
      copy.entries.splice(6, 1)
      copy.entries = rehashed(copy.entries.map((entry, index) => ({ ...entry, seq: index + 1 })))
    },
    [10, /entry 10 does not have the hash/],
  ],
  [
    'an added entry',
    ({ entries }) => entries.splice(7, 0, { ...(entries[6] as AuditRecord) }),
    [7, /entry 7 occurs twice: it was added or moved/],
  ],
  [
    'an added entry that takes the number of the next one',
    ({ entries }) => {
      entries.splice(7, 1, { ...(entries[7] as AuditRecord), operation: 'DeleteTag' })
    },
    [8, /entry 8 was changed/],
  ],
  [
    'reordered lines',
    ({ entries }) => entries.splice(6, 2, entries[7] as AuditRecord, entries[6] as AuditRecord),
    [7, /entry 7 (is missing|follows entry 8)/],
    [7, /entry 7 (is missing|follows entry 8)/],
  ],
  [
    'reordered entries: numbers swapped',
    ({ entries }) => {
      const [a, b] = entries.slice(6, 8) as [AuditRecord, AuditRecord]
      entries.splice(6, 2, { ...b, seq: 7 }, { ...a, seq: 8 })
    },
    [7, /entry 7 was changed or moved/],
    [8, /entry 8 was changed or moved/],
  ],
  [
    'entries truncated within the last digest',
    ({ entries }) => entries.splice(18),
    [19, /entries 19 to 20 are missing/],
  ],
  ['entries truncated by whole digests', ({ entries }) => entries.splice(10), [11, /entries 11 to 20 are missing/]],
  ['no entries', ({ entries }) => entries.splice(0), [1, /entries 1 to 20 are missing/]],
  [
    'a wrong key',
    (copy) => Object.assign(copy, { key: generateTrail(1, 1).publicKey }),
    [null, /none of the 4 digests: it is not the key of this trail/],
    [null, /no valid digests/],
  ],
  ['no digests', ({ digests }) => digests.splice(0), [null, /no valid digests/]],
  ['a missing digest', ({ digests }) => digests.splice(1, 1), [6, /the digest of entries 6 to 10 is missing/]],
  ['a missing first digest', ({ digests }) => digests.splice(0, 1), [1, /the digest of entries 1 to 5 is missing/]],
  [
    'an edited digest',
    ({ digests }) => {
      const { document, signature } = digests[1] as SignedAuditDigest
      digests.splice(1, 1, { document: document.replace('"count":5', '"count":4'), signature })
    },
    [null, /the digest of entries 6 to 10 was changed or is of another trail/],
    [6, /the digest of entries 6 to 10 is missing/],
  ],
  [
    'an additional digest of another trail',
    ({ digests }) => digests.push(generateTrail(10, 10).digests[0] as SignedAuditDigest),
    [null, isOfAnotherTrail],
  ],
  [
    'a digest of another trail with the same key',
    ({ digests }) => digests.push(generateTrail(10, 10, keys).digests[0] as SignedAuditDigest),
    [1, isOfAnotherTrail],
    [6, isOfAnotherTrail],
  ],
  ['an unreadable digest', ({ digests }) => digests.push({ document: '{', signature: '' }), [null, /unreadable/]],
]

for (const [name, change, ...expected] of tamperings)
  test(`tampering is detected: ${name}`, async () => {
    const { isValid, problems, provenLastSeq } = await verifyCopy(change)
    assert.equal(isValid, false)
    assert.equal(provenLastSeq, null)
    for (const [index, [seq, pattern]] of expected.entries()) {
      assert.equal(problems[index]?.seq, seq, JSON.stringify(problems))
      assert.match(problems[index]?.text ?? '', pattern)
    }
  })

const line = (change: (text: string) => string) => async () => {
  const lines = linesOf(trail.entries)
  lines.splice(6, 1, change(lines[6] ?? ''))
  const { problems } = await verifyTrail({ lines, digests: trail.digests, key: trail.publicKey })
  assert.match(problems.map(({ text }) => text).join(), /line 7 was changed/)
}
test(
  'a line with two members of one name is not an entry',
  line((text) => text.replace('{', '{"actorName":"nobody",')),
)
test(
  'a line that is not JSON is not an entry',
  line(() => 'x'),
)
test(
  'a line of another form is not an entry',
  line(() => 'null'),
)

test('entries that have expired may be missing', async () => {
  const { isValid, provenFirstSeq, provenLastSeq, expiredSeq } = await verifyCopy((copy) => {
    copy.digests = generateTrail(22, 5, keys, { expiredSeq: 5 }).digests
    copy.entries.splice(0, 5)
  })
  assert.deepEqual([isValid, provenFirstSeq, provenLastSeq, expiredSeq], [true, 6, 20, 5])
})

test('a missing beginning is not proven when the newest digest is of an older version, which states nothing', async () => {
  const verifyWithout = (count: number) =>
    verifyCopy((copy) => {
      copy.digests = generateTrail(22, 5, keys, {}).digests
      copy.entries.splice(0, count)
    })
  const { isValid, provenFirstSeq, provenLastSeq, expiredSeq } = await verifyWithout(5)
  assert.deepEqual([isValid, provenFirstSeq, provenLastSeq, expiredSeq], [true, 6, 20, null])
  assert.equal((await verifyWithout(0)).isValid, true)
  const { problems } = await verifyWithout(4)
  assert.match(problems[0]?.text ?? '', /entries 1 to 4 are missing, although no digest ends there/)
})

test('the same digest from two places counts once', async () => {
  assert.ok((await verifyCopy(({ digests }) => digests.push(...digests))).isValid)
})

test('a period is proven within its digests; its first entry is not, unless a digest ends before it', async () => {
  const period = { from: Date.parse(entryTime(8)), to: Date.parse(entryTime(19)) }
  const cut = (first: number) => (copy: Copy) => {
    copy.entries = copy.entries.slice(first - 1, 18)
  }
  for (const [first, provenFirst] of [
    [8, 9],
    [6, 6],
  ] as const) {
    const { isValid, provenFirstSeq, provenLastSeq } = await verifyCopy(cut(first), period)
    assert.deepEqual([isValid, provenFirstSeq, provenLastSeq], [true, provenFirst, 15])
  }
  const edited = await verifyCopy((copy) => {
    cut(8)(copy)
    Object.assign(copy.entries[2] as AuditRecord, { actorName: 'nobody' })
  }, period)
  assert.deepEqual(edited.problems[0]?.seq, 10)
  // the digest of entries 11 to 15 is older than the end of the period
  const truncated = await verifyCopy((copy) => {
    copy.entries = copy.entries.slice(7, 13)
  }, period)
  assert.match(truncated.problems[0]?.text ?? '', /entries 14 to 15 are missing/)
})

test('a period without the end of a digest proves nothing', async () => {
  const { problems } = await verifyCopy(
    (copy) => {
      copy.entries = copy.entries.slice(6, 9)
    },
    { from: Date.parse(entryTime(7)), to: Date.parse(entryTime(10)) },
  )
  assert.match(problems[0]?.text ?? '', /nothing is proven; export a longer period/)
})

test('a trail that is broken everywhere is reported in bounded memory', async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => canonicalJson({ seq: index + 1, hash: 'x' }))
  const { problems, problemCount } = await verifyTrail({ lines, digests: trail.digests, key: trail.publicKey })
  assert.ok(problemCount >= 1000)
  assert.equal(problems.length, 50)
})
