import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { auditDigestDocument } from '@wharf/contract'
import { deleteSettings, writeSetting } from '@wharf/database/stored-settings.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { TestServer } from '@wharf/testkit'
import { digestTarget } from '../resources/audit-entries/digest-target.ts'
import { ChainStore, type DigestRow } from './chain-store.ts'
import { CopiedDigests } from './copied-digests.ts'
import { DigestSigningKey } from './digest-signing-key.ts'
import { Digests } from './digests.ts'

const root = mkdtempSync(join(tmpdir(), 'wharf-nodes-'))
for (const name of ['copies', 'other-copies']) mkdirSync(join(root, name))
after(() => rmSync(root, { recursive: true }))
// the server signs nothing: the nodes of these tests do
const server = await TestServer.start({ after }, { auditLimits: { chainMs: 3_600_000 } })
const { audit, database, clock, log } = server.app.foundation
const { signingKey } = audit
const chain = new ChainStore(database)
const backupStorage = { findByName: async () => undefined, usable: () => assert.fail() }

const fileOf = (name: string): string => join(root, name, 'last-digest')

/** Starts signing with the data folder of a node; a second call is a restart. */
function startNode(name: string, auditDigests?: string, key = signingKey) {
  const data = join(root, name)
  mkdirSync(data, { recursive: true })
  const target = digestTarget(auditDigests, { backupStorage })
  const settings = { data, auditDays: 400 }
  const limits = { digestMs: 3_600_000, digestEntries: 5 }
  const digests = new Digests({ database, clock, log, signingKey: key, target, settings, ...limits })
  // ends at once, so that the nodes of a test take turns
  const run = () => digests.run((tx) => chain.lease(tx, name, -1000))
  return { run, warnings: () => digests.warnings.join() }
}

async function addEntries(count: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (let number = 0; number < count; number++)
      audit.trail.collect(tx, { resourceType: 'Tag', uuid: newUuid(), before: null, after: { name: 'tag' } })
  })
  await audit.chainCommitted()
}

const allDigests = (): Promise<DigestRow[]> => chain.listDigests(database.read, 0, 1000)
const newest = async (): Promise<DigestRow> => (await allDigests()).at(-1) ?? assert.fail()
const keptBy = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8'))
const deleteAfter = (lastSeq: number) =>
  database.transaction((tx) => tx.deleteFrom('auditDigests').where('lastSeq', '>', lastSeq).execute())

test('a node keeps the newest digest, its own or of another node, also after a crash before it was written', async () => {
  const [one, two] = [startNode('one'), startNode('two')]
  await addEntries(5)
  await one.run()
  const { document, signature } = await newest()
  assert.deepEqual(keptBy('one'), { document, signature })
  await addEntries(10)
  await two.run()
  const before = readFileSync(fileOf('one'))
  await one.run()
  await addEntries(5)
  await one.run()
  await two.run()
  const last = await newest()
  for (const name of ['one', 'two']) assert.equal(keptBy(name).signature, last.signature)
  writeFileSync(fileOf('one'), before)
  const restarted = startNode('one')
  await restarted.run()
  assert.equal(keptBy('one').signature, last.signature)
  assert.deepEqual([one.warnings(), two.warnings(), restarted.warnings()], ['', '', ''])
})

test('what was signed is not signed again when its digests are deleted, and the node warns until its file is deleted', async () => {
  const [node, other] = [startNode('one'), startNode('two')]
  await node.run()
  const [first, kept] = [(await allDigests())[0] ?? assert.fail(), await newest()]
  await deleteAfter(first.lastSeq)
  await node.run()
  assert.equal((await newest()).lastSeq, first.lastSeq)
  await addEntries(5)
  await node.run()
  const signed = (await allDigests())[1]
  assert.deepEqual([signed?.firstSeq, signed?.previousSignature], [kept.lastSeq + 1, kept.signature])
  const expected = new RegExp(
    `not the one that was signed: the digest of entries ${kept.firstSeq} to ${kept.lastSeq} is missing.*delete ${fileOf('one')}`,
  )
  assert.match(node.warnings(), expected)
  await other.run()
  assert.match(other.warnings(), /is missing/)
  assert.equal(keptBy('two').signature, (await newest()).signature)
  const restarted = startNode('one')
  await restarted.run()
  assert.match(restarted.warnings(), expected)
  for (const name of ['one', 'two']) rmSync(fileOf(name))
  const accepting = startNode('one')
  await accepting.run()
  assert.equal(accepting.warnings(), '')
})

test('a signed entry with another hash is a warning', async () => {
  const { lastSeq, head } = await newest()
  const setHash = (hash: string) =>
    database.transaction((tx) => tx.updateTable('auditEntries').set({ hash }).where('seq', '=', lastSeq).execute())
  await setHash('0'.repeat(64))
  const node = startNode('one')
  await node.run()
  assert.match(node.warnings(), new RegExp(`entry ${lastSeq} has another hash`))
  await setHash(head)
  rmSync(fileOf('one'))
})

test('an entry expires by the signed date of its digest, not by the column of that date', async () => {
  const dates = await database.read.selectFrom('auditDigests').select(['uuid', 'createDate']).execute()
  await database.transaction((tx) => tx.updateTable('auditDigests').set({ createDate: 1 }).execute())
  await addEntries(5)
  await startNode('one').run()
  assert.equal(JSON.parse((await newest()).document).expiredSeq, 0)
  await database.transaction(async (tx) => {
    for (const { uuid, createDate } of dates)
      await tx.updateTable('auditDigests').set({ createDate }).where('uuid', '=', uuid).execute()
  })
})

test('the first digest after one of an older version is signed at once, and states what that version has removed', async () => {
  const { lastSeq: last, signature: previousSignature } = await newest()
  await addEntries(5)
  const head = (await database.read.selectFrom('auditChain').select('lastHash').executeTakeFirstOrThrow()).lastHash
  const range = { firstSeq: last + 1, lastSeq: (await chain.range()).lastSeq, count: 5, head, previousSignature }
  const document = auditDigestDocument({ ...range, createDate: new Date(clock.now()).toISOString() })
  const signed = { document, signature: signingKey.sign(document) }
  await database.transaction(async (tx) => {
    await chain.insertDigest(tx, { uuid: newUuid(), ...range, ...signed, createDate: clock.now() })
    await chain.cutBefore(tx, 6)
  })
  await addEntries(1)
  const node = startNode('one')
  await node.run()
  assert.deepEqual([node.warnings(), JSON.parse((await newest()).document).expiredSeq], ['', 5])
})

test('every digest is copied: an edited position skips none, and a file with another digest is a warning and stays', async () => {
  const folder = join(root, 'copies')
  const files = () => readdirSync(folder)
  const { lastSeq } = await newest()
  await database.transaction((tx) => writeSetting(tx, `auditDigestsCopied:${folder}`, String(lastSeq)))
  await startNode('one', folder).run()
  const all = await allDigests()
  assert.equal(files().length, all.length)
  const next = `audit-digest-${String(lastSeq + 1).padStart(12, '0')}-${String(lastSeq + 5).padStart(12, '0')}.json`
  writeFileSync(join(folder, next), 'another')
  await addEntries(10)
  const node = startNode('one', folder)
  await node.run()
  assert.match(node.warnings(), new RegExp(`cannot be written to ${folder}: ${next} exists with another digest; `))
  assert.equal(readFileSync(join(folder, next), 'utf8'), 'another')
  assert.equal(files().length, (await allDigests()).length)
  renameSync(join(folder, next), join(root, 'kept.json'))
  const restarted = startNode('one', folder)
  await restarted.run()
  assert.equal(restarted.warnings(), '')
  assert.equal(files().length, (await allDigests()).length)
})

const editDigest = (lastSeq: number, edit: Partial<DigestRow>) =>
  database.transaction((tx) => tx.updateTable('auditDigests').set(edit).where('lastSeq', '=', lastSeq).execute())
const editChain = (lastSeq: number) =>
  database.transaction((tx) => tx.updateTable('auditChain').set({ lastSeq }).execute())
const farSeq = 1e15

test('an edited position of a digest is a warning, and later digests are signed and copied nevertheless', async () => {
  const folder = join(root, 'copies')
  const node = startNode('one', folder)
  const { firstSeq, lastSeq } = await newest()
  await editDigest(lastSeq, { lastSeq: farSeq })
  await node.run()
  assert.match(node.warnings(), new RegExp(`the digest of entries ${firstSeq} to ${lastSeq} is missing or was changed`))
  const copying = startNode('one', folder)
  await copying.run()
  const expected = `the digest of entries ${firstSeq} to ${lastSeq} is stored as that of ${firstSeq} to ${farSeq}`
  assert.match(copying.warnings(), new RegExp(`cannot be written to ${folder}: ${expected}`))
  await addEntries(5)
  await node.run()
  await editDigest(farSeq, { lastSeq })
  rmSync(fileOf('one'))
  const restarted = startNode('one', folder)
  await restarted.run()
  const { document } = await newest()
  assert.deepEqual([restarted.warnings(), JSON.parse(document).firstSeq], ['', lastSeq + 1])
  assert.equal(readdirSync(folder).length, (await allDigests()).length)
})

test('a digest that Wharf has not signed is a warning, and takes no part in what is signed', async () => {
  const last = await newest()
  const added = { ...last, uuid: newUuid(), firstSeq: farSeq, lastSeq: farSeq }
  for (const signed of [{ signature: 'AAAA' }, { document: 'text', signature: signingKey.sign('text') }]) {
    await database.transaction((tx) => chain.insertDigest(tx, { ...added, ...signed }))
    rmSync(fileOf('one'))
    await addEntries(5)
    const node = startNode('one', join(root, 'copies'))
    await node.run()
    const fact = `the digest of entries ${farSeq} to ${farSeq} was not signed with the key of this trail`
    assert.match(node.warnings(), new RegExp(`${fact}.* cannot be written to \\S+: ${fact}`))
    await deleteAfter(farSeq - 1)
  }
  const { firstSeq, lastSeq } = await newest()
  assert.deepEqual([firstSeq, lastSeq], [last.lastSeq + 6, last.lastSeq + 10])
  rmSync(fileOf('one'))
})

test('a digest that does not continue the one before is a warning', async () => {
  const last = await newest()
  await startNode('one').run()
  await addEntries(5)
  await startNode('two').run()
  const { lastSeq } = await newest()
  const forked = { ...JSON.parse((await newest()).document), previousSignature: 'AAAA' }
  const document = auditDigestDocument(forked)
  await editDigest(lastSeq, { document, signature: signingKey.sign(document) })
  const node = startNode('one')
  await node.run()
  const fact = `the digest of entries ${last.lastSeq + 1} to ${lastSeq} does not continue that of ${last.firstSeq} to`
  assert.match(node.warnings(), new RegExp(fact))
  for (const name of ['one', 'two']) rmSync(fileOf(name))
})

test('a chain that ends elsewhere than its entries is a warning', async () => {
  const { lastSeq } = await newest()
  for (const [end, fact] of [
    [lastSeq + 20_000, `entry ${lastSeq + 5} is missing, although the chain ends with entry ${lastSeq + 20_000}`],
    [lastSeq - 1, `the chain ends with entry ${lastSeq - 1}, although entry ${lastSeq} is signed`],
  ] as const) {
    await editChain(end)
    const node = startNode('one')
    await node.run()
    assert.match(node.warnings(), new RegExp(fact))
    assert.equal((await newest()).lastSeq, lastSeq)
    rmSync(fileOf('one'))
  }
  await editChain(lastSeq)
})

test('last-digest that cannot be written is a warning until it can, and digests are copied nevertheless', async () => {
  const folder = join(root, 'copies')
  const node = startNode('one', folder)
  mkdirSync(`${fileOf('one')}.new`)
  await addEntries(5)
  await node.run()
  assert.match(node.warnings(), new RegExp(`^${fileOf('one')} cannot be written: illegal operation on a directory; `))
  assert.equal(readdirSync(folder).length, (await allDigests()).length)
  rmSync(`${fileOf('one')}.new`, { recursive: true })
  await node.run()
  assert.deepEqual([node.warnings(), keptBy('one').signature], ['', (await newest()).signature])
})

test('a damaged last-digest is an error that names it, and digests are copied nevertheless', async () => {
  const before = readFileSync(fileOf('one'))
  writeFileSync(fileOf('one'), '{')
  const folder = join(root, 'other-copies')
  await assert.rejects(startNode('one', folder).run(), new RegExp(`${fileOf('one')} is damaged: put back a copy`))
  assert.equal(readdirSync(folder).length, (await allDigests()).length)
  writeFileSync(fileOf('one'), before)
})

test('a target that cannot be used is a warning from the start, before a digest is due', async () => {
  const file = join(root, 'file')
  writeFileSync(file, '')
  for (const [target, reason] of [
    [join(file, 'folder'), /cannot be written to \S+: not a directory; it is retried every minute/],
    ['vault', /cannot be written to vault: .* the backup storage vault, which does not exist/],
  ] as const) {
    const node = startNode('one', target)
    await node.run()
    assert.match(node.warnings(), reason)
  }
})

test('a target that hangs is a warning, and signing does not wait for it', async (t) => {
  const hung = Promise.withResolvers<void>()
  let checkCount = 0
  const check = () => {
    checkCount++
    return hung.promise
  }
  const target = { name: '/mnt/hung', check, write: () => assert.fail() }
  const copies = new CopiedDigests({ database, log, signingKey, target })
  const lease = async () => undefined
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const now = performance.now() + 3_600_000
  const time = t.mock.method(performance, 'now', () => now)
  const run = copies.run(lease, false)
  t.mock.timers.tick(10_000)
  await run
  assert.equal(copies.failure, undefined)
  time.mock.mockImplementation(() => now + 60_000)
  await copies.run(lease, false)
  assert.match(copies.failure ?? '', /cannot be written to \/mnt\/hung: the last attempt has not ended for a minute; /)
  const { failure } = copies
  await copies.run(lease, true)
  assert.deepEqual([copies.failure, checkCount], [failure, 1])
  hung.resolve()
})

test('another signing key is a warning, also for a node without last-digest', async () => {
  await database.transaction((tx) => deleteSettings(tx, ['sealedAuditSigningKey']))
  const key = await DigestSigningKey.load(server.app.foundation)
  for (const [name, fact] of [
    ['one', /the key that signs digests was replaced/],
    ['new', /its newest digests were not signed with the key of this trail/],
  ] as const) {
    const node = startNode(name, undefined, key)
    await node.run()
    assert.match(node.warnings(), fact)
  }
})
