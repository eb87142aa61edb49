import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@wharf/contract'
import { en, type Title, zh } from './titles.ts'

const jobs = operations.filter(({ mode }) => mode === 'job').map(({ name }) => name)

test('every job operation has a title in both languages', () => {
  for (const titles of [en, zh] as readonly Record<string, Title>[]) {
    assert.deepEqual(Object.keys(titles).sort(), jobs.toSorted())
    for (const [name, title] of Object.entries(titles)) {
      assert.ok(title('web-1', undefined).includes('web-1'), name)
      for (const text of [title(undefined, undefined), title('web-1', undefined), title('web-1', 'host-3')])
        assert.ok(text !== '' && text === text.trim() && !/undefined|null| {2}/.test(text), text)
    }
  }
})

test('a title names the action, the record and the host', () => {
  assert.equal(en.InstallSoftwarePackage('nginx-1.2', 'host-3'), 'Install nginx-1.2 on host-3')
  assert.equal(zh.InstallSoftwarePackage('nginx-1.2', 'host-3'), '在 host-3 上安装 nginx-1.2')
})
