import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { similarTo } from './similar.ts'

const operations = ['tags.create', 'tags.delete', 'hosts.add', 'hosts.changeState', 'jobs.cancel']

for (const [text, expected] of [
  ['tags.craete', ['tags.create']],
  ['tag.create', ['tags.create']],
  ['Tags.Create', ['tags.create']],
  ['hosts.changestate', ['hosts.changeState']],
  ['host.add', ['hosts.add']],
  ['nothing.like.this', []],
  ['', []],
] as const)
  test(`${JSON.stringify(text)} is similar to ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(similarTo(text, operations), expected))
