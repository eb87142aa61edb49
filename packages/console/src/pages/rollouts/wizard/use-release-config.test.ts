import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getSoftwarePackageConfigSchema, queryRelease } from '@wharf/contract'
import { HookPage } from '../../../data/testing/render-hook.ts'

const { useReleaseConfig } = await import('./use-release-config.ts')

const schema = {
  type: 'object',
  properties: {
    port: { type: 'integer', minimum: 1, default: 8080 },
    name: { type: 'string', maxLength: 5 },
    password: { type: 'string', format: 'password' },
  },
}

type Form = Parameters<typeof useReleaseConfig>[0]

async function setup(t: TestContext, form: Form, configSchema: object | null = schema) {
  const page = new HookPage(t)
  page.server.answer(queryRelease, () => ({ inventories: [{ uuid: 'release-1', softwarePackageUuid: 'package-1' }] }))
  page.server.answer(getSoftwarePackageConfigSchema, () => ({ configSchema, canFormCluster: false }))
  const hook = await page.render(useReleaseConfig, form)
  return { page, hook }
}

const chosen: Form = { releaseUuid: 'release-1', config: undefined, configText: '' }

test('without a release nothing is queried', async (t) => {
  const { page, hook } = await setup(t, { ...chosen, releaseUuid: '' })
  assert.deepEqual(page.server.calls, [])
  assert.deepEqual([hook.current.isLoaded, hook.current.config], [false, undefined])
})

test('the fields start with the defaults of the package of the release', async (t) => {
  const { page, hook } = await setup(t, chosen)
  assert.deepEqual(page.server.inputsOf(getSoftwarePackageConfigSchema), [{ uuid: 'package-1' }])
  assert.equal(hook.current.isLoaded, true)
  assert.equal((hook.current.value as { port?: number }).port, 8080)
  assert.equal(hook.current.problems.size, 0)
})

for (const [config, problems] of [
  [{ port: 1, name: 'shop' }, []],
  [{ port: 0, name: 'shop' }, ['port']],
  [{ port: 1, name: 'too long' }, ['name']],
  [{ port: 1, name: '{{ host.name }}' }, []],
] as const)
  test(`${JSON.stringify(config)} has ${problems.length} problems`, async (t) => {
    const { hook } = await setup(t, { ...chosen, config })
    assert.deepEqual([...hook.current.problems.keys()], problems)
    assert.deepEqual(hook.current.config, config)
  })

test('a password is sent, and not part of a copied command', async (t) => {
  const { hook } = await setup(t, { ...chosen, config: { port: 1, password: 'hunter2' } })
  assert.equal(hook.current.config?.password, 'hunter2')
  assert.ok(!JSON.stringify(hook.current.shownConfig).includes('hunter2'))
  assert.equal(hook.current.shownConfig?.port, 1)
})

for (const [configText, config] of [
  ['', undefined],
  ['{}', undefined],
  ['{"port": 1}', { port: 1 }],
  ['not JSON', undefined],
] as const)
  test(`without a schema "${configText}" sends ${JSON.stringify(config)}`, async (t) => {
    const { hook } = await setup(t, { ...chosen, configText }, null)
    assert.deepEqual([hook.current.isLoaded, hook.current.schema, hook.current.config], [true, undefined, config])
  })

test('the configuration of the release before is not offered for the next one', async (t) => {
  const { page, hook } = await setup(t, chosen)
  page.server.answer(queryRelease, () => ({ inventories: [{ uuid: 'release-2', softwarePackageUuid: 'package-2' }] }))
  const late = Promise.withResolvers<object>()
  t.after(() => late.resolve({}))
  page.server.answer(getSoftwarePackageConfigSchema, () => late.promise)
  await hook.rerender({ ...chosen, releaseUuid: 'release-2' })
  assert.deepEqual([hook.current.isLoaded, hook.current.schema], [false, undefined])
})
