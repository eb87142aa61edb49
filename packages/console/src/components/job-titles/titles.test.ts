import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobTitle, jobTitles } from '@wharf/contract'
import { zh } from './titles.ts'

test('every job operation has a Chinese title that names its record', () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(jobTitles).sort())
  for (const [name, title] of Object.entries(zh)) {
    assert.ok(title('web-1', undefined).includes('web-1'), name)
    for (const text of [title(undefined, undefined), title('web-1', undefined), title('web-1', 'host-3')])
      assert.ok(text !== '' && text === text.trim() && !/undefined|null| {2}/.test(text), text)
  }
})

test('a title names the action, the record with its version, and the host', () => {
  const job = {
    operation: 'InstallSoftwarePackage',
    subjectName: 'exporter',
    subjectVersion: '2.1.0',
    targetName: 'w1',
  }
  assert.equal(jobTitle(job, zh), '在 w1 上安装 exporter 2.1.0')
})
