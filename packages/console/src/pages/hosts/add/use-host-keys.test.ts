import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getCandidateMiniHosts, getHostKeys, queryUser } from '@wharf/contract'
import { HookPage } from '../../../data/testing/render-hook.ts'
import { type HostForm, newHostForm } from './host-form.ts'

const { useHostKeys } = await import('./use-host-keys.ts')

const formOf = (address: string, sshPort = '22'): HostForm => ({
  ...newHostForm(new URLSearchParams()),
  address,
  sshPort,
})

async function setup(t: TestContext, form: HostForm, role = 'admin') {
  const page = new HookPage(t)
  page.server.answer(queryUser, () => ({ inventories: [{ uuid: 'user-1', role }] }))
  page.server.answer(getCandidateMiniHosts, () => ({
    hosts: [{ ipv4Address: '10.0.0.7', ipv6Address: 'fd00::7', hostName: 'mini-7' }],
  }))
  page.server.answer(getHostKeys, ({ address }) => ({
    keys: ['ed25519', 'rsa'].map((type) => ({ type, fingerprint: `SHA256:${type} of ${address}` })),
  }))
  const hook = await page.render(useHostKeys, form)
  return { page, hook }
}

/** The server connects to an address without a click only if it announced itself and the role may do it. */
for (const [address, role, isLoaded] of [
  ['10.0.0.7', 'admin', true],
  ['fd00::7', 'admin', true],
  ['mini-7', 'admin', true],
  ['10.0.0.8', 'admin', false],
  ['', 'admin', false],
  ['10.0.0.7', 'reader', false],
] as const)
  test(`opened by ${role} for "${address}", the keys are ${isLoaded ? 'loaded' : 'not loaded'}`, async (t) => {
    const { page, hook } = await setup(t, formOf(address), role)
    assert.equal(page.server.inputsOf(getHostKeys).length, isLoaded ? 1 : 0)
    assert.equal(hook.current.shown.length, isLoaded ? 2 : 0)
  })

test('an address that is typed is not connected to before a click', async (t) => {
  const { page, hook } = await setup(t, formOf(''))
  await hook.rerender(formOf('10.0.0.7'))
  assert.deepEqual(page.server.inputsOf(getHostKeys), [])
  await hook.act(() => hook.current.load())
  assert.deepEqual(page.server.inputsOf(getHostKeys), [{ address: '10.0.0.7', sshPort: 22 }])
})

test('the first key is chosen until the user chooses another', async (t) => {
  const { hook } = await setup(t, formOf('10.0.0.7'))
  assert.equal(hook.current.chosen, 'SHA256:ed25519 of 10.0.0.7')
  await hook.act(() => hook.current.choose('SHA256:rsa of 10.0.0.7'))
  assert.equal(hook.current.chosen, 'SHA256:rsa of 10.0.0.7')
})

for (const [name, changed] of [
  ['address', formOf('10.0.0.9')],
  ['port', formOf('10.0.0.7', '2222')],
] as const)
  test(`another ${name} discards the keys and the choice`, async (t) => {
    const { hook } = await setup(t, formOf('10.0.0.7'))
    await hook.rerender(changed)
    assert.deepEqual([hook.current.shown, hook.current.chosen], [[], undefined])
  })

test('a host that does not respond is an error', async (t) => {
  const { page, hook } = await setup(t, formOf('10.0.0.8'))
  page.server.fail(getHostKeys)
  await hook.act(() => hook.current.load())
  assert.match(hook.current.error?.message ?? '', /failed/)
  assert.equal(hook.current.isLoading, false)
})
