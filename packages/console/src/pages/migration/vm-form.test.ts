import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyVm, vmInput, vmProblems } from './vm-form.ts'

const good = { ...emptyVm, name: 'gw', hostUuid: 'h' }

test('a name and a host are enough', () => {
  assert.deepEqual(vmProblems(good), {})
  assert.deepEqual(vmInput(good), { name: 'gw', hostUuid: 'h', cpu: 1, memoryBytes: 2 ** 30 })
})

const wrong: [change: object, field: string, problem: string][] = [
  [{ name: ' ' }, 'name', 'required'],
  [{ hostUuid: '' }, 'hostUuid', 'required'],
  [{ cpu: '0' }, 'cpu', 'badNumber'],
  [{ cpu: '1.5' }, 'cpu', 'badNumber'],
  [{ memoryMiB: '15' }, 'memoryMiB', 'badNumber'],
  [{ memoryMiB: '4194305' }, 'memoryMiB', 'badNumber'],
  [{ network: 'default' }, 'network', 'badNetwork'],
  [{ network: 'bridge:' }, 'network', 'badNetwork'],
]
for (const [change, field, problem] of wrong)
  test(`refuses ${JSON.stringify(change)}`, () =>
    assert.deepEqual(vmProblems({ ...good, ...change }), { [field]: problem }))

for (const network of ['user', 'network:default', 'bridge:br-0.1'])
  test(`takes ${network}`, () => {
    assert.deepEqual(vmProblems({ ...good, network }), {})
    assert.equal(vmInput({ ...good, network }).network, network)
  })
