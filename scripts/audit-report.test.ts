import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readAudit } from './audit-report.ts'

const found = (severity: string) => JSON.stringify({ vulnerabilities: { thing: { severity, range: '<2' } } })

for (const { name, json, exitCode, text } of [
  { name: 'no finding', json: '{"vulnerabilities":{}}', exitCode: 0, text: /^0 high or critical$/ },
  {
    name: 'a moderate finding',
    json: found('moderate'),
    exitCode: 0,
    text: /^moderate: thing <2\n0 high or critical$/,
  },
  { name: 'a high finding', json: found('high'), exitCode: 1, text: /1 high or critical$/ },
  { name: 'a critical finding', json: found('critical'), exitCode: 1, text: /1 high or critical$/ },
  {
    name: 'a refusal of the registry',
    json: '{"message":"405"}',
    exitCode: 0,
    text: /^the registry returned no audit: 405$/,
  },
  {
    name: 'a failure of npm',
    json: '{"error":{"summary":"no"}}',
    exitCode: 0,
    text: /^the registry returned no audit: no$/,
  },
  { name: 'no answer', json: '', exitCode: 0, text: /^the registry returned no audit: / },
] as const)
  test(`an audit with ${name} ${exitCode === 0 ? 'passes' : 'fails'}`, () => {
    const read = readAudit(json)
    assert.equal(read.exitCode, exitCode)
    assert.match(read.text, text)
  })
