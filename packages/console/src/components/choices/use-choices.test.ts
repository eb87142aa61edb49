import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { queryHost } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'

const { useChoices } = await import('./use-choices.ts')
const { useSearch } = await import('./use-search.ts')

const hosts = Array.from({ length: 60 }, (_, index) => ({ uuid: `host-${index}`, name: `web-${index}` }))

type Wanted = Parameters<typeof useChoices>[1]

async function setup(t: TestContext, wanted: Wanted) {
  const page = new HookPage(t)
  page.server.answer(queryHost, ({ q = [], limit }) => {
    const conditions = q as string[]
    const found = hosts.filter(
      ({ uuid, name }) =>
        conditions.every((one) => !one.includes('uuid=') || one === `uuid=${uuid}`) &&
        (!conditions.some((one) => one.includes('web-1')) || name.includes('web-1')),
    )
    return { inventories: found.slice(0, Number(limit)) }
  })
  const hook = await page.render((next: Wanted) => useChoices(queryHost, next), wanted)
  return { page, hook, queries: () => page.server.inputsOf(queryHost).map(({ q = [] }) => q) }
}

test('the first records are offered, and more can be found by their names', async (t) => {
  const { page, hook, queries } = await setup(t, { text: '' })
  assert.equal(hook.current.records.length, 50)
  assert.deepEqual([hook.current.hasMore, hook.current.isPending], [true, false])
  await hook.rerender({ text: ' web-1 ' })
  assert.equal(hook.current.records.length, 11)
  assert.equal(hook.current.hasMore, false)
  assert.deepEqual(queries(), [[], ['name~=%web-1%']])
  assert.equal(page.server.inputsOf(queryHost)[0]?.sort, '+name')
})

test('conditions are added to the search of another field', async (t) => {
  const { queries } = await setup(t, { text: 'a', only: ['state=Enabled'], searched: 'address' })
  assert.deepEqual(queries(), [['state=Enabled', 'address~=%a%']])
})

for (const chosen of ['', 'host-3', 'host-55', 'deleted'])
  test(`the choice "${chosen}" is found, also if it is not listed`, async (t) => {
    const { hook, queries } = await setup(t, { text: '', chosen })
    assert.equal(hook.current.chosen?.uuid, hosts.find(({ uuid }) => uuid === chosen)?.uuid)
    assert.equal(queries().length, chosen === '' ? 1 : 2)
  })

test('a list that cannot be read is an error', async (t) => {
  const page = new HookPage(t)
  page.server.fail(queryHost)
  const hook = await page.render(() => useChoices(queryHost, { text: '' }))
  assert.match(hook.current.error?.message ?? '', /failed/)
})

const some = { records: [], chosen: undefined, isPending: false, hasMore: false, error: null }

test('a select shows the state of all its lists', async (t) => {
  const hook = await new HookPage(t).render(useSearch)
  const statusOf = (...lists: object[]) => hook.current.listOf(...lists.map((one) => ({ ...some, ...one }))).statusType
  assert.equal(statusOf({}, {}), 'finished')
  assert.equal(statusOf({}, { isPending: true }), 'loading')
  assert.equal(statusOf({ isPending: true }, { error: new Error('no') }), 'error')
  assert.equal(hook.current.listOf(some).finishedText, '')
  assert.notEqual(hook.current.listOf(some, { ...some, hasMore: true }).finishedText, '')
})
