import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Answer, assertFailure, Client, PackageFixture, recordIn, TestServer, testEngine } from '@wharf/testkit'
import { file, tarOf } from '@wharf/testkit/packages/archives/tar-builder.ts'

const fixture = await PackageFixture.start({ after })
const { server, source, admin } = fixture
const { database } = server.app.foundation
const [operator, reader] = await Promise.all([server.signIn('operator'), server.signIn('reader')])

interface Release {
  uuid: string
  name: string
  version: string
  sha256: string
  state: string
  softwarePackageUuid: string
}

let count = 0
const archiveOf = (manifest: object, content = 'x'): Buffer =>
  tarOf(file('wharf.json', JSON.stringify(manifest)), file('content', content), {
    ...file('install.sh', '#!/bin/sh\nexit 0\n'),
    mode: 0o755,
  })
const install = { run: ['./install.sh'] }

async function store(bytes: Buffer, name = 'demo', type = 'demo'): Promise<string> {
  const path = `package-${count++}.tar`
  const stored = await fixture.toStorage({ name, type, url: source.serve(path, bytes), installPath: path })
  assert.equal(stored.status, 200, stored.text)
  return recordIn(stored).uuid
}

/** A package of this version on backup storage. */
const storeVersion = (name: string, version: string, content?: string): Promise<string> =>
  store(archiveOf({ name, version, type: 'demo', install }, content), name)

const publish = (
  softwarePackageUuid: string,
  more: object = {},
  { as = operator, tags = {} }: { as?: Client; tags?: object } = {},
): Promise<Answer> => as.post('/v1/releases', { params: { softwarePackageUuid, ...more }, ...tags })

const released = (answer: Answer): Release => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Release
}

const eventsOf = async (uuid: string): Promise<string[]> => {
  const events = database.read.selectFrom('events').select('type').where('uuid', '=', uuid).orderBy('sequence')
  return (await events.execute()).map(({ type }) => type)
}

const list = async (path: string, as: Client = reader): Promise<Release[]> =>
  (await as.get(path)).body.inventories as Release[]

test('a package is published under the name and version of its manifest, and found by them', async () => {
  const bytes = archiveOf({ name: 'web', version: '1.0.0', type: 'site', install })
  const softwarePackageUuid = await store(bytes, 'uploaded name', 'site')
  const tags = { userTags: ['stable'], systemTags: ['team::infra'] }
  const release = released(await publish(softwarePackageUuid, { description: 'first' }, { tags }))
  const { createDate, lastOpDate, uuid, ...rest } = release as unknown as Record<string, string>
  assert.deepEqual(rest, {
    name: 'web',
    version: '1.0.0',
    type: 'site',
    sha256: hash('sha256', bytes, 'hex'),
    md5sum: hash('md5', bytes, 'hex'),
    size: bytes.length,
    softwarePackageUuid,
    backupStorageUuid: server.bootstrap.backupStorageUuid,
    description: 'first',
    state: 'Published',
  })
  assert.match(`${createDate} ${lastOpDate}`, /2\d{3}/)
  assert.deepEqual(await list(`/v1/releases/${uuid}`), [release])
  for (const q of ['name=web', 'q=version=1.0.0&q=name~=w%25', 'state=Published&q=name=web', '__userTag__=stable'])
    assert.deepEqual(await list(`/v1/releases?${q.startsWith('q=') ? q : `q=${q}`}`), [release], q)
  assert.equal((await reader.get('/v1/releases?count=true&q=__systemTag__=team::infra')).body.total, 1)
  assert.deepEqual(await eventsOf(release.uuid), ['Created'])
  assert.equal((await admin.get('/v1/api-jobs?count=true&q=operation=PublishRelease')).body.total, 0)
  assert.partialDeepStrictEqual(await fixture.get(softwarePackageUuid), { releaseUuid: uuid, version: '1.0.0' })
})

test('the same bytes are the same release; other bytes under its version are refused with its digest', async () => {
  const first = await storeVersion('same', '1.0.0', 'a')
  const release = released(await publish(first))
  assert.deepEqual(released(await publish(first, { description: 'ignored' })), release)
  assert.deepEqual(released(await publish(await storeVersion('same', '1.0.0', 'a'))), release)
  assert.deepEqual(await eventsOf(release.uuid), ['Created'])
  const other = await storeVersion('same', '1.0.0', 'b')
  const details = `already exists with the SHA-256 ${release.sha256}`
  assertFailure(await publish(other), { status: 409, code: 'SYS.1002', details })
  assert.equal(((await fixture.get(other)) as { releaseUuid?: unknown }).releaseUuid, null)
  assert.equal((await list('/v1/releases?q=name=same')).length, 1)
  released(await publish(await storeVersion('same', '1.0.1', 'b')))
})

test('a package that is published and deleted at once is either a release or gone', async () => {
  for (let round = 0; round < 4; round++) {
    const uuid = await storeVersion('either', `${round}.0.0`)
    const [published, deleted] = await Promise.all([publish(uuid), fixture.remove(uuid)])
    const releases = await list(`/v1/releases?q=softwarePackageUuid=${uuid}`)
    assert.equal(published.status === 200, releases.length === 1, published.text)
    assert.equal(deleted.status === 200, releases.length === 0, deleted.text)
    if (published.status !== 200) assert.match(String(published.body.error?.code), /^SYS\.100[35]$/, published.text)
    else assertFailure(deleted, { status: 409, code: 'SYS.1004', details: 'delete the release first' })
  }
})

test('what cannot be published is refused by what is missing, and changes nothing', async () => {
  const demo = { name: 'no', version: '1', type: 'demo' }
  const onHost = await fixture.upload({
    url: source.serve('host.tar', archiveOf({ ...demo, install })),
    installPath: join(fixture.folder, 'host.tar'),
  })
  const unnamed = await store(archiveOf({ ...demo, install }))
  const changeManifest = async (manifest: string) => {
    const uuid = await store(archiveOf({ ...demo, install }))
    await database.transaction((tx) =>
      tx.updateTable('softwarePackages').set({ manifest }).where('uuid', '=', uuid).execute(),
    )
    return uuid
  }
  const rows: [uuid: string, status: number, code: string, details: string][] = [
    ['0'.repeat(32), 404, 'SYS.1003', 'there is no software package'],
    [recordIn(onHost).uuid, 409, 'SYS.1006', 'upload the package to backup storage first'],
    [await store(tarOf(file('content'))), 409, 'SYS.1006', 'has no wharf.json'],
    [await store(archiveOf(demo)), 409, 'SYS.1006', 'has no install; add it'],
    [await changeManifest('{"name":"a",'), 409, 'SYS.1006', 'has no name'],
    [await changeManifest('{"name":"a","install":{"run":["x"]},"type":"demo"}'), 409, 'SYS.1006', 'has no version'],
    [
      await store(archiveOf({ ...demo, install }), 'demo', 'other'),
      409,
      'SYS.1006',
      'upload it again with the type demo',
    ],
    ['nothing', 400, 'SYS.1007', 'softwarePackageUuid'],
  ]
  for (const [uuid, status, code, details] of rows) assertFailure(await publish(uuid), { status, code, details })
  await database.transaction((tx) =>
    tx.updateTable('softwarePackages').set({ status: 'Installing' }).where('uuid', '=', unnamed).execute(),
  )
  assertFailure(await publish(unnamed), { status: 409, code: 'SYS.1005', details: 'must be Uploaded' })
  assertFailure(await publish(unnamed, {}, { as: reader }), { status: 403, code: 'ID.1002', details: '' })
  assertFailure(await publish(unnamed, { version: '2' }), { status: 400, code: 'SYS.1007', details: 'version' })
  assert.deepEqual(await list('/v1/releases?q=name?=no,a'), [])
})

/** As a package of an older version. */
const forgetDigest = (uuid: string) =>
  database.transaction((tx) =>
    tx.updateTable('softwarePackages').set({ sha256: null }).where('uuid', '=', uuid).execute(),
  )

test('a package without a stored digest is read by a job, and refused when its file was changed', async () => {
  const uuid = await storeVersion('older', '1.0.0')
  const changed = await storeVersion('older', '2.0.0')
  await forgetDigest(uuid)
  await forgetDigest(changed)
  const { sha256 } = released(await publish(uuid))
  assert.match(sha256, /^[0-9a-f]{64}$/)
  const [job] = await list(`/v1/api-jobs?q=subjectUuid=${uuid}&q=operation=PublishRelease`, admin)
  assert.equal(job?.state, 'Succeeded')
  const [storage] = (await admin.get(`/v1/backup-storage/${server.bootstrap.backupStorageUuid}`)).body.inventories as [
    { url: string },
  ]
  writeFileSync(join(fileURLToPath(storage.url), (await fixture.get(changed)).installPath), 'other bytes')
  assertFailure(await publish(changed), { status: 502, code: 'SYS.1016', details: 'the file was changed there' })
})

test('a release is retired once, by an operator', async () => {
  const { uuid } = released(await publish(await storeVersion('old', '1.0.0')))
  const retire = (as: Client) => as.put(`/v1/releases/${uuid}/actions`, { retireRelease: {} })
  assertFailure(await retire(reader), { status: 403, code: 'ID.1002', details: '' })
  for (let times = 0; times < 2; times++) assert.equal(released(await retire(operator)).state, 'Retired')
  assert.deepEqual(await eventsOf(uuid), ['Created', 'Updated'])
})

test('a release is deleted by an admin when no host has it, and before its package', async () => {
  const softwarePackageUuid = await storeVersion('gone', '1.0.0')
  const { uuid } = released(await publish(softwarePackageUuid, {}, { tags: { userTags: ['gone'] } }))
  assertFailure(await operator.delete(`/v1/releases/${uuid}`), { status: 403, code: 'ID.1002', details: '' })
  for (const mode of ['Permissive', 'Enforcing'])
    assertFailure(await admin.delete(`/v1/software-package/${softwarePackageUuid}`, { deleteMode: mode }), {
      status: 409,
      code: 'SYS.1004',
      details: 'contains the bytes of release gone 1.0.0; delete the release first',
    })
  assert.equal((await fixture.install(softwarePackageUuid, { hostUuid: server.bootstrap.hostUuid })).status, 200)
  assertFailure(await admin.delete(`/v1/releases/${uuid}`), {
    status: 409,
    code: 'SYS.1004',
    details: 'is installed on host',
  })
  assert.equal((await fixture.uninstall(softwarePackageUuid)).status, 200)
  const deleted = await admin.delete(`/v1/releases/${uuid}`)
  assert.equal(deleted.status, 200, deleted.text)
  assert.deepEqual(await eventsOf(uuid), ['Created', 'Deleted'])
  assert.equal((await admin.get(`/v1/user-tags?count=true&q=resourceUuid=${uuid}`)).body.total, 0)
  assert.equal(((await fixture.get(softwarePackageUuid)) as { releaseUuid?: unknown }).releaseUuid, null)
  assert.equal((await fixture.remove(softwarePackageUuid)).status, 200)
  assertFailure(await admin.delete(`/v1/releases/${uuid}`), { status: 404, code: 'SYS.1003', details: 'release' })
})

test('a release is the source of an upload to a host, by uuid and by name and version', async () => {
  const release = released(await publish(await storeVersion('app @ 100%', '1.0.0+b', 'from storage')))
  const urls = [`release://${release.uuid}`, 'release://app @ 100%25@1.0.0+b', 'RELEASE://app%20%40%20100%25@1.0.0%2Bb']
  for (const [index, url] of urls.entries()) {
    const installPath = join(fixture.folder, `released-${index}.tar`)
    const uploaded = await fixture.upload({ url, installPath })
    assert.equal(uploaded.status, 200, uploaded.text)
    const { uuid } = recordIn(uploaded)
    assert.partialDeepStrictEqual(recordIn(uploaded), {
      releaseUuid: release.uuid,
      version: '1.0.0+b',
      status: 'Uploaded',
    })
    const row = await database.read
      .selectFrom('softwarePackages')
      .selectAll()
      .where('uuid', '=', uuid)
      .executeTakeFirst()
    assert.deepEqual([row?.sha256, row?.softwareName], [release.sha256, release.name])
  }
  const [first] = await list(`/v1/software-package?q=releaseUuid=${release.uuid}&q=hostUuid not null`)
  assert.equal((await fixture.install(first?.uuid ?? '')).status, 200)
  assertFailure(await admin.delete(`/v1/releases/${release.uuid}`), {
    status: 409,
    code: 'SYS.1004',
    details: 'is installed on host',
  })
})

test('latest is the greatest version that is not retired', async () => {
  for (const version of ['1.10.0', '1.9.0', '2.0.0']) {
    const { uuid } = released(await publish(await storeVersion('ordered', version)))
    if (version === '2.0.0') await operator.put(`/v1/releases/${uuid}/actions`, { retireRelease: {} })
  }
  const installPath = join(fixture.folder, 'latest.tar')
  const uploaded = await fixture.upload({ url: 'release://ordered@latest', installPath })
  assert.equal(recordIn(uploaded).version, '1.10.0', uploaded.text)
})

test('an upload of a release that does not exist, is retired or has other bytes is refused', async () => {
  const { uuid, sha256, softwarePackageUuid } = released(await publish(await storeVersion('app', '1.0.0')))
  const retired = released(await publish(await storeVersion('app', '0.9.0')))
  assert.equal((await operator.put(`/v1/releases/${retired.uuid}/actions`, { retireRelease: {} })).status, 200)
  const digestTag = { systemTags: [`uploadSoftwarePackage::${'0'.repeat(64)}`] }
  const rows: [url: string, status: number, code: string, details: string, more?: object][] = [
    ['release://app@1.0.1', 404, 'SYS.1003', 'there is no release app 1.0.1'],
    [`release://${'0'.repeat(32)}`, 404, 'SYS.1003', 'there is no release'],
    ['release://app', 400, 'SYS.1007', 'release://<name>@<version>'],
    ['release://@1.0.0', 400, 'SYS.1007', 'release://<name>@<version>'],
    ['release://app@', 400, 'SYS.1007', 'release://<name>@<version>'],
    ['release://', 400, 'SYS.1007', 'release://<name>@<version>'],
    ['release://app%@1', 400, 'SYS.1007', 'write a percent sign'],
    ["release://app'; drop table releases; --@1", 404, 'SYS.1003', 'there is no release'],
    ['release://app@0.9.0', 409, 'SYS.1006', 'is Retired'],
    [`release://${uuid}`, 400, 'SYS.1007', sha256, digestTag],
  ]
  const before = (await admin.get('/v1/software-package?count=true')).body.total
  for (const [url, status, code, details, more] of rows) {
    const installPath = join(fixture.folder, 'refused.tar')
    assertFailure(await fixture.upload({ url, installPath }, {}, more), { status, code, details })
  }
  const toStorage = await fixture.toStorage({ url: `release://${uuid}`, installPath: 'again.tar' })
  assertFailure(toStorage, { status: 400, code: 'SYS.1007', details: 'release:// is for uploads to a host' })
  assert.equal((await admin.get('/v1/software-package?count=true')).body.total, before)

  const [storage] = (await admin.get(`/v1/backup-storage/${server.bootstrap.backupStorageUuid}`)).body.inventories as [
    { url: string },
  ]
  const stored = join(fileURLToPath(storage.url), (await fixture.get(softwarePackageUuid)).installPath)
  writeFileSync(stored, archiveOf({ name: 'app', version: '1.0.0', type: 'demo', install }, 'y'))
  const changed = await fixture.upload({ url: 'release://app@1.0.0', installPath: join(fixture.folder, 'changed.tar') })
  assertFailure(changed, { status: 502, code: 'SYS.1016', details: `for the release with ${sha256}` })
})

test('nodes that publish one version at once agree on one release', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  // SQLite belongs to one process
  const other =
    testEngine === 'postgres' ? await TestServer.open({ ...server.environment, WHARF_DATA: folder }) : undefined
  if (other) t.after(() => other.app.close())
  const clients = [admin, other ? new Client(other.url, admin.credential) : operator]
  for (let round = 0; round < 4; round++) {
    const [a, b, same] = await Promise.all(
      ['a', 'b', 'a'].map((content) => storeVersion('race', `${round}.0.0`, content)),
    )
    const packages = round % 2 === 0 ? [a, b] : [a, same]
    const answers = await Promise.all(
      packages.flatMap((uuid, index) => [1, 2].map(() => publish(uuid ?? '', {}, { as: clients[index] ?? admin }))),
    )
    const published = await list(`/v1/releases?q=name=race&q=version=${round}.0.0`)
    assert.equal(published.length, 1)
    const [release] = published
    for (const answer of answers)
      if (answer.status === 200) assert.deepEqual(answer.body.inventory, release)
      else assertFailure(answer, { status: 409, code: 'SYS.1002', details: release?.sha256 ?? '' })
    const succeeded = answers.filter(({ status }) => status === 200).length
    assert.equal(succeeded, round % 2 === 0 ? 2 : 4)
    assert.deepEqual(await eventsOf(release?.uuid ?? ''), ['Created'])
  }
})
