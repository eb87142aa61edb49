import assert from 'node:assert/strict'
import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Answer, assertFailure, assertUnchanged, PackageFixture } from '@wharf/testkit'

const fixture = await PackageFixture.start({ after })
const { folder, server } = fixture
const { managementNodeUuid } = server.bootstrap
const reader = await server.signIn('reader')
const deadNode = 'd'.repeat(32)

const usage = (directoryPath: string, node = managementNodeUuid): Promise<Answer> =>
  reader.get(`/v1/software-package/directory/usage?${new URLSearchParams({ managementNodeUuid: node, directoryPath })}`)

writeFileSync(join(folder, 'file'), '')

for (const [name, path, measured] of [
  ['the root', '/', '/'],
  ['a folder', folder, folder],
  ['a folder with a trailing slash', `${folder}/`, folder],
  ['a folder that does not exist: its nearest parent', join(folder, 'not/existing/at all'), folder],
  ['a file', join(folder, 'file'), folder],
  ['a path below a file', join(folder, 'file/x'), folder],
  ['two slashes and a dot', `${folder}//./x`, folder],
  ['names that a shell would expand', join(folder, '$(touch canary)`id`;*'), folder],
  ['a name like an option', join(folder, '-rf/--help'), folder],
  ['another file system', '/proc', '/proc'],
] as const)
  test(`measures ${name}`, async () => {
    await assertUnchanged(fixture, async () => {
      const answer = await usage(path)
      assert.equal(answer.status, 200, answer.text)
      const { blocks, bsize } = statfsSync(measured)
      assert.deepEqual(Object.keys(answer.body).toSorted(), ['availableCapacity', 'error', 'success', 'totalCapacity'])
      assert.equal(answer.body.totalCapacity, blocks * bsize)
      const available = Number(answer.body.availableCapacity)
      assert.ok(available >= 0 && available <= blocks * bsize)
    })
  })

for (const [path, status, code] of [
  ['relative', 400, 'SoftwarePackage.1131'],
  ['./x', 400, 'SoftwarePackage.1131'],
  ['/a/../b', 400, 'SoftwarePackage.1131'],
  ['/..', 400, 'SoftwarePackage.1131'],
  ['/a\0b', 400, 'SYS.1007'],
  ['/a\nb', 400, 'SYS.1007'],
  ['', 400, 'SYS.1007'],
  [`/${'x'.repeat(1024)}`, 400, 'SYS.1007'],
] as const)
  test(`refuses ${JSON.stringify(path.slice(0, 20))}`, () =>
    assertUnchanged(fixture, async () => assertFailure(await usage(path), { status, code })))

test('the node must exist and answer', async () => {
  assertFailure(await usage('/', 'f'.repeat(32)), { status: 404, code: 'SYS.1003', details: 'node' })
  assertFailure(await usage('/', 'node'), { status: 400, code: 'SYS.1007', details: 'managementNodeUuid' })
  const node = { uuid: deadNode, hostName: 'gone', url: null, version: '1', status: 'Dead' as const }
  await server.app.foundation.database.transaction((tx) =>
    tx
      .insertInto('managementNodes')
      .values({ ...node, createDate: 1, lastOpDate: 1 })
      .execute(),
  )
  const started = performance.now()
  assertFailure(await usage('/', deadNode), { status: 502, code: 'SYS.1012' })
  assert.ok(performance.now() - started < 5000)
})

test('both fields are required', async () => {
  const path = '/v1/software-package/directory/usage'
  assertFailure(await reader.get(path), { status: 400, code: 'SYS.1007', details: 'directoryPath' })
  assertFailure(await server.anonymous.get(path), { status: 401, code: 'ID.1001' })
})
