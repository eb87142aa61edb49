import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { operations } from '@wharf/contract'

const root = new URL('..', import.meta.url)

const statement =
  /(?:selectFrom|insertInto|updateTable|deleteFrom|[jJ]oin)\(\s*'(\w+)|(?:from|join|into|update) "(\w+)"/g

/** Each of these treats all tables alike. */
const mechanisms = [
  'backup.ts',
  'restore.ts',
  'uuid-conflict.ts',
  'attached-conditions.ts',
  'record-scope-sql.ts',
  'scoped-reads.ts',
  'migrations/',
]

/** The folder of a resource, or of a layer that is not a resource. */
const folderOf = (file: string): string =>
  /^packages\/server\/src\/(?:resources\/)?[\w-]+|^packages\/\w+/.exec(file)?.[0] ?? ''

test('a table is queried only in the folder that owns it', () => {
  const files = globSync('packages/{server,database}/src/**/*.ts', { cwd: root })
    .filter((file) => !/[.]test[.]ts$|[/]testing[/]/.test(file))
    .filter((file) => !mechanisms.some((name) => file.startsWith(`packages/database/src/${name}`)))
  const folders = new Map<string, Set<string>>()
  for (const file of files)
    for (const [, builder, raw] of readFileSync(new URL(file, root), 'utf8').matchAll(statement)) {
      const table = builder ?? raw ?? ''
      folders.set(table, (folders.get(table) ?? new Set()).add(folderOf(file)))
    }
  assert.ok(folders.has('users') && folders.has('jobs'))
  for (const [table, owners] of folders)
    assert.equal(owners.size, 1, `"${table}" is queried in ${[...owners].join(', ')}`)
})

test('every resource describes its folder, and is in ARCHITECTURE.md and its diagram', () => {
  const folders = globSync('packages/server/src/resources/*/', { cwd: root })
  assert.ok(folders.length > 10)
  const [text, diagram] = ['ARCHITECTURE.md', 'docs/images/layers.svg'].map((file) =>
    readFileSync(new URL(file, root), 'utf8'),
  )
  for (const folder of folders) {
    assert.ok(existsSync(new URL(`${folder}/README.md`, root)), `${folder}/README.md`)
    const name = basename(folder)
    assert.ok(text?.includes(`\`${name}\``), `${name} in ARCHITECTURE.md`)
    assert.match(diagram ?? '', new RegExp(`(?<![\\w-])${name}(?![\\w-])`), `${name} in layers.svg`)
  }
})

test('the diagram of the layers has every layer', () => {
  const diagram = readFileSync(new URL('docs/images/layers.svg', root), 'utf8')
  const layers = globSync('packages/server/src/*/', { cwd: root }).map((folder) => basename(folder))
  assert.ok(layers.length > 6)
  for (const layer of layers)
    assert.match(diagram, new RegExp(`>[^<]*(?<![\\w-])${layer}(?![\\w-])[^<]*</text>`), layer)
})

test('a resource whose creations take tags attaches them, and detaches those of what is deleted', () => {
  const resources = new Set(operations.filter(({ fields }) => 'tagUuids' in fields).map(({ resource }) => resource))
  assert.ok(resources.size > 8)
  for (const resource of resources) {
    const files = globSync(`packages/server/src/resources/${resource}/**/*.ts`, { cwd: root })
    const source = files.map((file) => readFileSync(new URL(file, root), 'utf8')).join('\n')
    assert.match(source, /\btags\.attach\(/, resource)
    assert.match(source, /\btags\.detachAll\b/, resource)
  }
})
