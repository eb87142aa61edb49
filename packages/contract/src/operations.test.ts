import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { errorCatalogue } from './errors.ts'
import { type Operation, pathParameters } from './operation.ts'
import { errorsOf, inventories, operations, resourceTypeOf } from './operations.ts'

const sources = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
const source = (file: string) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
const repeated = (words: string[]) => words.filter((word, index) => words.indexOf(word) !== index)
const version = /^(wharf-)?\d+(\.\d+)+$/

const address = ({ method, path }: Operation): string => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`

test('names of operations are unique, and so are their addresses with the structure', () => {
  assert.deepEqual(repeated(operations.map(({ name }) => name)), [])
  assert.deepEqual(repeated(operations.map((operation) => `${address(operation)} ${operation.structure}`)), [])
})

test('operations that share an address are actions of one resource, distinguished by the body', () => {
  const shared = [...Map.groupBy(operations, address).values()].filter(({ length }) => length > 1)
  assert.ok(shared.length > 0)
  for (const actions of shared)
    for (const { name, structure, resource, path, mode, permission, extendsSession, repeatable } of actions) {
      assert.ok(structure !== undefined && !['params', 'systemTags', 'userTags'].includes(structure), name)
      assert.deepEqual([resource, path], [actions[0]?.resource, actions[0]?.path], name)
      // one route authenticates for all of them, before it knows which is meant
      assert.ok(mode !== 'stream' && permission !== 'public', name)
      assert.deepEqual([extendsSession, repeatable], [undefined, undefined], name)
    }
})

test('every operation and record that a file declares is listed, operations in order', () => {
  const declared = sources.flatMap((file) => [...source(file).matchAll(/^ {2}name: '([A-Z]\w+)',$/gm)].map((m) => m[1]))
  const listed = new Set([...operations, ...inventories].map(({ name }) => name))
  assert.ok(declared.length > 20)
  assert.deepEqual(
    declared.filter((name) => name !== undefined && !listed.has(name)),
    [],
  )
  const keys = operations.map(({ resource, path }) => `${resource} ${path}`)
  assert.deepEqual(keys, keys.toSorted())
  for (const actions of Map.groupBy(operations, address).values()) {
    const names = actions.map(({ name }) => name)
    assert.deepEqual(names, names.toSorted(), 'the name of a shared address is made of theirs, so their order is fixed')
  }
})

test('every operation names a permission, a version and errors of the catalogue', () => {
  for (const { name, permission, since, errors } of operations) {
    assert.ok(['public', 'own', 'read', 'operate', 'administer'].includes(permission), name)
    assert.match(since, version, name)
    assert.deepEqual(
      errors.filter((code) => !(code in errorCatalogue)),
      [],
      name,
    )
    assert.deepEqual(repeated([...errors]), [], name)
  }
})

test('only login, logout and the check of a session are public', () => {
  assert.deepEqual(
    operations.filter(({ permission }) => permission === 'public').map(({ name }) => name),
    [
      'LogInByAccount',
      'LogOut',
      'ValidateSession',
      'LogInByUser',
      'LogInByOidc',
      'ListOidcProviders',
      'StartOidcSignIn',
    ],
  )
})

test('every change takes X-Job-UUID and an idempotency key, but for sign-in, sign-out and the check of elaborations', () => {
  const excepted = operations.filter(({ repeatable }) => repeatable === false).map(({ name }) => name)
  assert.deepEqual(excepted.toSorted(), [
    'CheckElaborationContent',
    'LogInByAccount',
    'LogInByOidc',
    'LogInByUser',
    'LogOut',
    'StartOidcSignIn',
  ])
})

test('reading never needs more than to read, except a configuration and the audit, and a reader changes nothing but what is its own', () => {
  for (const { name, method, permission, resource } of operations) {
    if (name === 'GetSoftwarePackageConfig' || resource === 'audit-entries') assert.equal(permission, 'administer')
    else if (method === 'GET') assert.ok(['public', 'own', 'read'].includes(permission), name)
    else assert.notEqual(permission, 'read', name)
  }
})

test('POST and PUT carry a named structure, the others none', () => {
  for (const { name, method, structure } of operations)
    assert.equal(structure !== undefined, method === 'POST' || method === 'PUT', name)
})

test('jobs, and only jobs, declare how long they may take', () => {
  for (const { name, mode, timeoutSeconds } of operations) assert.equal(mode === 'job', (timeoutSeconds ?? 0) > 0, name)
})

test('a call that repeats a job is refused for the reasons of any job, and no others', () => {
  const retries = operations.filter(({ repeatsJobs }) => repeatsJobs)
  assert.deepEqual(
    retries.map(({ name }) => name),
    ['RetryApiJob'],
  )
  const codes = new Set(operations.filter(({ mode }) => mode === 'job').flatMap(errorsOf))
  assert.deepEqual(new Set(retries.flatMap(errorsOf)), codes)
  assert.ok(codes.has('HOST.1005') && !codes.has('JOB.1001'))
})

test('every change of a record has the type of the record, which its audit entries name', () => {
  const untyped = operations.filter(
    (operation) =>
      operation.method !== 'GET' && operation.path.includes('{uuid}') && resourceTypeOf(operation) === undefined,
  )
  assert.deepEqual(
    untyped.map(({ name }) => name),
    [],
  )
  const typeOf = (wanted: string) => resourceTypeOf(operations.find(({ name }) => name === wanted) as Operation)
  assert.equal(typeOf('InstallSoftwarePackage'), 'SoftwarePackage')
  assert.equal(typeOf('DeleteMigrateVmInstance'), 'GatewayVmInstance')
})

test('no operation declares the tags that every operation takes, nor a path parameter as a field', () => {
  for (const { name, path, fields } of operations)
    for (const taken of ['systemTags', 'userTags', ...pathParameters(path)]) assert.ok(!(taken in fields), name)
})

test('records have unique names, and their fields and those of operations have versions that read as such', () => {
  assert.deepEqual(repeated(inventories.map(({ name }) => name)), [])
  const groups = [
    ...inventories.map(({ name, since, schema }) => ({ name, since, fields: schema.properties })),
    ...operations.flatMap(({ name, since, fields, answer }) => [
      { name, since, fields },
      { name, since, fields: answer === 'empty' ? {} : answer },
    ]),
  ]
  for (const { name, since, fields } of groups)
    for (const [field, schema] of Object.entries(fields as Record<string, TSchema & { 'x-since'?: string }>))
      assert.match(schema['x-since'] ?? since, version, `${name}.${field}`)
})

test('runs in a browser: no source imports anything of Node', () => {
  for (const file of sources) assert.doesNotMatch(source(file), /from 'node:/, file)
})
