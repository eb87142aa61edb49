import { strict as assert } from 'node:assert'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PackageFixture } from '@wharf/testkit'
import { environmentOf, runCaptured } from '../testing/captured-io.ts'

test('records are found by name or uuid', async (t) => {
  const fixture = await PackageFixture.start(t)
  const env = environmentOf(fixture.server.bootstrap)
  const { hostUuid } = fixture.server.bootstrap
  const wharf = (...argv: string[]) => runCaptured(argv, { env })
  const add = async (name: string): Promise<string> => {
    const folder = mkdtempSync(join(fixture.folder, 'storage-'))
    const { stdout, stderr } = await wharf('storage', 'add', '--json', '--', name, `file://${folder}`)
    assert.ok(stdout, stderr)
    return JSON.parse(stdout).uuid
  }
  const uuids = [await add('twin'), await add('twin')]
  await add('100%_sure')
  await add('-f')
  await add('name with = and ~= in it')

  await t.test('by name and by uuid', async () => {
    const byName = await wharf('host', 'show', 'this-node', '--json')
    const byUuid = await wharf('host', 'show', hostUuid, '--json')
    assert.equal(JSON.parse(byName.stdout).uuid, hostUuid)
    assert.equal(byName.stdout, byUuid.stdout)
    const dashed = hostUuid.toUpperCase().replace(/^(.{8})(.{4})/, '$1-$2-')
    assert.equal((await wharf('host', 'show', dashed, '--json')).stdout, byUuid.stdout)
  })

  await t.test('an ambiguous name is rejected with the candidates', async () => {
    const { code, stderr } = await wharf('storage', 'delete', 'twin')
    assert.equal(code, 1)
    for (const uuid of uuids) assert.ok(stderr.includes(uuid), stderr)
    assert.match(stderr, /use the uuid/)
    const { stdout } = await wharf('storage', 'list', '--query', 'name=twin', '--json')
    assert.equal(JSON.parse(stdout).length, 2)
  })

  await t.test('the uuid is unambiguous', async () => {
    assert.equal((await wharf('storage', 'delete', String(uuids[0]))).code, 0)
    assert.equal((await wharf('storage', 'show', 'twin', '--json')).code, 0)
  })

  await t.test('names may contain operators of the query language', async () => {
    for (const name of ['100%_sure', 'name with = and ~= in it'])
      assert.equal(JSON.parse((await wharf('storage', 'show', name, '--json')).stdout).name, name)
    assert.equal(JSON.parse((await wharf('storage', 'show', '--json', '--', '-f')).stdout).name, '-f')
  })

  await t.test('an unknown name suggests similar names', async () => {
    const { code, stderr } = await wharf('host', 'show', 'this-mode')
    assert.equal(code, 1)
    assert.match(stderr, /no host named this-mode\n {2}did you mean this-node\?/)
  })

  await t.test('an empty name is rejected', async () => {
    assert.match((await wharf('storage', 'delete', '')).stderr, /must not be empty/)
  })
})
