import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyVm, limits, vmInput, vmProblems } from './vm-form.ts'

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

test('optional fields are sent when they are filled in, without surrounding spaces', () => {
  const filled = { ...good, name: ' gw ', cpu: ' 4 ', memoryMiB: '16', network: ' user ', description: ' d ' }
  assert.deepEqual(vmProblems(filled), {})
  assert.deepEqual(vmInput(filled), {
    name: 'gw',
    hostUuid: 'h',
    cpu: 4,
    memoryBytes: 16 * 2 ** 20,
    network: 'user',
    description: 'd',
  })
})

test('the limits themselves are accepted', () => {
  for (const [field, [from, to]] of Object.entries(limits)) {
    assert.deepEqual(vmProblems({ ...good, [field]: String(from) }), {}, field)
    assert.deepEqual(vmProblems({ ...good, [field]: String(to) }), {}, field)
    assert.deepEqual(vmProblems({ ...good, [field]: String(to + 1) }), { [field]: 'badNumber' })
  }
})

test('all problems are reported together', () => {
  assert.deepEqual(vmProblems({ ...emptyVm, cpu: '', memoryMiB: '-1', network: 'x y' }), {
    name: 'required',
    hostUuid: 'required',
    cpu: 'badNumber',
    memoryMiB: 'badNumber',
    network: 'badNetwork',
  })
})
