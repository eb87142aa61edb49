import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { operations } from '@wharf/contract'

const root = new URL('..', import.meta.url)

const builders = /(?:selectFrom|insertInto|updateTable|deleteFrom|[jJ]oin)\(\s*(\[[^\]]+\]|['"`]\w+)/g
const texts = /(?:from|join|into|update) "(\w+)"/g

const tablesIn = (source: string): string[] => {
  const built = [...source.matchAll(builders)].flatMap(([, tables = '']) => [...tables.matchAll(/['"`](\w+)/g)])
  return [...built, ...source.matchAll(texts)].map(([, table = '']) => table)
}

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
    for (const table of tablesIn(readFileSync(new URL(file, root), 'utf8')))
      folders.set(table, (folders.get(table) ?? new Set()).add(folderOf(file)))
  assert.ok(folders.has('users') && folders.has('jobs'))
  for (const [table, owners] of folders)
    assert.equal(owners.size, 1, `"${table}" is queried in ${[...owners].join(', ')}`)
})

const resources = globSync('packages/server/src/resources/*/', { cwd: root })

test('every resource describes its folder', () => {
  assert.ok(resources.length > 10)
  for (const folder of resources)
    assert.match(readFileSync(new URL(`${folder}/README.md`, root), 'utf8'), /^# .+\n\n[A-Z]/, folder)
})

test('the diagram of the layers shows dependencies of resources that exist', () => {
  const diagram = readFileSync(new URL('docs/images/layers.svg', root), 'utf8')
  const names = resources.map((folder) => basename(folder))
  const shown = [...diagram.matchAll(/>([^<]*→[^<]*)</g)].flatMap(([, line = '']) => line.match(/[a-z-]+/g) ?? [])
  assert.ok(shown.length > 10)
  for (const name of shown) assert.ok(names.includes(name), name)
})

test('the diagram of the layers has every layer', () => {
  const diagram = readFileSync(new URL('docs/images/layers.svg', root), 'utf8')
  const layers = globSync('packages/server/src/*/', { cwd: root }).map((folder) => basename(folder))
  assert.ok(layers.length > 6)
  for (const layer of layers)
    assert.match(diagram, new RegExp(`>[^<]*(?<![\\w-])${layer}(?![\\w-])[^<]*</text>`), layer)
})

test('a resource whose creations take tags attaches them, and detaches those of what is deleted', () => {
  const tagged = new Set(operations.filter(({ fields }) => 'tagUuids' in fields).map(({ resource }) => resource))
  assert.ok(tagged.size > 8)
  for (const resource of tagged) {
    const files = globSync(`packages/server/src/resources/${resource}/**/*.ts`, { cwd: root })
    const source = files.map((file) => readFileSync(new URL(file, root), 'utf8')).join('\n')
    assert.match(source, /\btags\.attach\(/, resource)
    assert.match(source, /\btags\.detachAll\b/, resource)
  }
})
