import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from './operations.ts'
import { pathVariableNames } from './path-variables.ts'

test('each path of a record has one long name for it: the noun in the singular', () => {
  for (const { name, path } of operations.filter(({ path }) => path.includes('{uuid}'))) {
    const longNames = [...pathVariableNames(path).keys()].filter((variable) => variable !== 'uuid')
    assert.equal(longNames.length, 1, name)
    assert.match(longNames[0] ?? '', /^[a-z][A-Za-z]*[^s]Uuid$/, name)
  }
})

for (const [path, longName] of [
  ['/v1/accesskeys/{uuid}', 'accessKeyUuid'],
  ['/v1/maintenance-windows/{uuid}', 'windowUuid'],
  ['/v1/software-package/install/{uuid}/actions', 'softwarePackageUuid'],
  ['/v1/audit-entries/{uuid}', 'auditEntryUuid'],
  ['/v1/chatapp/{uuid}', 'endpointUuid'],
  ['/v1/api-jobs/{uuid}', 'jobUuid'],
] as const)
  test(`${path} is the path of a ${longName}`, () => assert.ok(pathVariableNames(path).has(longName)))

test('no operation declares a field that a path variable could be repeated under', () => {
  for (const { name, path, fields } of operations)
    for (const repeated of pathVariableNames(path).keys())
      assert.ok(!Object.hasOwn(fields, repeated), `${name}.${repeated}`)
})
