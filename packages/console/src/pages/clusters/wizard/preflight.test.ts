import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowed, packageStatuses } from '@wharf/contract'
import { emptyForm } from './cluster-form.ts'
import { messages } from './messages.ts'
import { canFormCluster, preflight, publicUrlOf, type WizardData } from './preflight.ts'

const host = (number: number, change: object = {}) => ({
  uuid: `h${number}`,
  name: `host-${number}`,
  address: `10.0.0.${number}`,
  driver: 'ssh',
  state: 'Enabled',
  status: 'Connected',
  ...change,
})
const form = { ...emptyForm, managementIp: '10.0.0.1', second: '10.0.0.2', third: '10.0.0.3' }
const data: WizardData = {
  hosts: [host(1), host(2), host(3)],
  package: { name: 'etcd', status: 'Installed', hostUuid: 'h1' },
  takenBy: undefined,
  canForm: true,
  url: 'http://10.0.0.254:8080',
}
const levels = (change: Partial<WizardData>, formChange: object = {}) =>
  preflight({ ...form, ...formChange }, { ...data, ...change })
    .filter(({ level }) => level === 'warning' || level === 'error')
    .map(({ name, level }) => [name, level])

test('three connected hosts and an installed package have no problem', () => assert.deepEqual(levels({}), []))

test('a package whose cluster runs without a plugin is attached again', () => {
  const running = { package: { name: 'e', status: 'Initialized', hostUuid: 'h1' } }
  assert.deepEqual(levels(running), [])
  assert.ok(preflight(form, { ...data, ...running }).some(({ name }) => name === 'packageReattached'))
})

test('an unverified URL is an info, not a success', () => {
  const infos = preflight(form, data).filter(({ level }) => level === 'info')
  assert.deepEqual(infos, [{ name: 'urlUnverified', level: 'info', values: [data.url] }])
  const names = preflight(form, { ...data, canForm: undefined }).map(({ name }) => name)
  assert.ok(!names.includes('packageForms') && !names.includes('packageCannotForm'))
})

const cases: [name: string, change: Partial<WizardData>, formChange: object, found: [string, string][]][] = [
  [
    'a package that is not installed',
    { package: { name: 'e', status: 'Uploaded', hostUuid: 'h1' } },
    {},
    [['packageNotReady', 'error']],
  ],
  ['a package that forms no cluster', { canForm: false }, {}, [['packageCannotForm', 'error']]],
  ['a package of another cluster', { takenBy: 'other' }, {}, [['packageTaken', 'error']]],
  [
    'a package that is gone',
    { package: undefined },
    {},
    [
      ['packageMissing', 'error'],
      ['hostUnknown', 'error'],
    ],
  ],
  [
    'a disabled host',
    { hosts: [host(1, { state: 'Disabled' }), host(2), host(3)] },
    {},
    [['hostUnavailable', 'error']],
  ],
  [
    'a node that is away',
    { hosts: [host(1), host(2, { status: 'Disconnected' }), host(3)] },
    {},
    [['nodeUnavailable', 'warning']],
  ],
  ['an unmanaged node', { hosts: [host(1), host(2)] }, {}, [['nodeUnknown', 'warning']]],
  ['another address of the first host', {}, { managementIp: '10.0.9.1' }, [['firstIsOther', 'warning']]],
  ['an address of this machine only', { url: 'http://127.0.0.1:8080' }, {}, [['urlLoopback', 'warning']]],
]
for (const [name, change, formChange, found] of cases)
  test(`reports ${name}`, () => assert.deepEqual(levels(change, formChange), found))

test('every check has a message in both languages', () => {
  const variants = [
    preflight(form, data),
    preflight(form, { ...data, package: undefined }),
    preflight(form, { ...data, hosts: [] }),
    preflight(form, { ...data, takenBy: 'storage', canForm: false }),
    preflight({ ...form, managementIp: '10.9.9.9', second: '10.9.9.8' }, { ...data, url: 'http://127.0.0.1:8080' }),
  ]
  const names = new Set(variants.flat().map(({ name }) => name))
  assert.ok(names.size >= 8, [...names].join(', '))
  for (const name of names)
    for (const texts of [messages.en, messages.zh])
      assert.ok((texts.checks[name] as (...all: string[]) => string)('a', 'b', 'c'))
})

test('a server without a known URL is not checked', () => {
  const names = preflight(form, { ...data, url: undefined }).map(({ name }) => name)
  assert.ok(!names.includes('urlUnverified') && !names.includes('urlLoopback'))
})

test('spaces around an address do not matter', () => {
  const spaced = { ...form, managementIp: ` ${form.managementIp} `, second: ` ${form.second} ` }
  assert.deepEqual(preflight(spaced, data), preflight(form, data))
})

test('a cluster is formed with the statuses that the contract allows', () => {
  for (const status of packageStatuses) {
    const isAllowed = [...allowed.initialise, ...allowed.reattach].some((one) => one === status)
    assert.equal(canFormCluster(status), isAllowed, status)
  }
})

test('alerts are sent to the public URL of a node that is alive', () => {
  const dead = { status: 'Dead', url: 'http://a', publicUrl: 'https://dead.example' }
  const alive = { status: 'Alive', url: 'http://127.0.0.1:8080', publicUrl: 'https://wharf.example' }
  assert.equal(publicUrlOf([dead, alive]), 'https://wharf.example')
  assert.equal(publicUrlOf([{ ...alive, publicUrl: null }]), 'http://127.0.0.1:8080')
  assert.equal(publicUrlOf([dead]), undefined)
})
