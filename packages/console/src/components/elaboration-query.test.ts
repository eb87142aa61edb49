import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getElaborations } from '@wharf/contract'
import { elaborationQuery } from './elaboration-query.ts'

for (const code of ['SYS.1001', 'HOST.1', 'SoftwarePackage.1002'])
  test(`${code} is a code`, () => assert.deepEqual(elaborationQuery(code), { code }))

for (const text of ['SYS.', 'SYS1001', '10.0.0.7', 'SYS.1001 failed', 'Connection refused', 'a.b', ''])
  test(`"${text}" is a text`, () => assert.deepEqual(elaborationQuery(text), { regex: text }))

test('a long text is cut to the limit of the server', () => {
  const { maxLength } = getElaborations.fields.regex as { maxLength?: number }
  const query = elaborationQuery('x'.repeat(100_000)) as { regex: string }
  assert.ok(query.regex.length > 1000)
  if (maxLength !== undefined) assert.ok(query.regex.length <= maxLength)
})
