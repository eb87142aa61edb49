import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@wharf/testkit'
import { CompiledQuery } from 'kysely'
import { fillPackageVersions, packageVersions } from './0025-package-versions.ts'
import { columnTypes } from './column-types.ts'

/** More than one batch, in the order of the uuids. */
const uuidOf = (index: number): string => index.toString(16).padStart(32, '0')

const manifests: [manifest: string | null, name: string | null, version: string | null][] = [
  ['{"name":"web","version":"1.2.0","type":"demo"}', 'web', '1.2.0'],
  [`{"config":{"description":"${'x'.repeat(200_000)}"},"name":"large","version":"2"}`, 'large', '2'],
  ['{"name":"web","version":', null, null],
  ['{"name":"web"}', 'web', null],
  ['{"name":7,"version":["1"]}', null, null],
  ['{"name":"web","version":"1\\u0000"}', 'web', null],
  ['{"name":"web","version":"\\ud800"}', 'web', null],
  [`{"name":"${'x'.repeat(256)}","version":""}`, null, null],
  ['null', null, null],
  ['[]', null, null],
  [null, null, null],
]
const repeated = Array.from({ length: 250 }, (_, index) => manifests[index % manifests.length] ?? manifests[0])

test('existing packages get the name and version of their manifest, and installed ones an unknown health', async (t) => {
  const database = await testDatabase(t)
  const statuses = ['Installed', 'Uploaded', 'Initialized', 'InstallFailed'] as const
  const base = { name: 'p', type: 'demo', size: 1, createDate: 1, lastOpDate: 1 }
  await database.transaction(async (tx) => {
    for (const [index, row] of repeated.entries())
      await tx
        .insertInto('softwarePackages')
        .values({
          ...base,
          uuid: uuidOf(index),
          installPath: `/p/${index}`,
          manifest: row?.[0] ?? null,
          status: statuses[index % statuses.length] ?? 'Installed',
        })
        .execute()
    for (const statement of packageVersions(columnTypes[database.engine]).split(/;\n/))
      if (statement.trimStart().startsWith('update')) await tx.executeQuery(CompiledQuery.raw(statement))
    await fillPackageVersions(tx)
  })
  const found = await database.read
    .selectFrom('softwarePackages')
    .select(['softwareName', 'version', 'health', 'lastOpDate'])
    .orderBy('uuid')
    .execute()
  assert.deepEqual(
    found.map(({ softwareName, version }) => [softwareName, version]),
    repeated.map((row) => [row?.[1] ?? null, row?.[2] ?? null]),
  )
  assert.deepEqual(
    found.slice(0, 4).map(({ health }) => health),
    ['Unknown', null, 'Unknown', null],
  )
  assert.ok(found.every(({ lastOpDate }) => lastOpDate === 1))
})
