import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deleteHost } from '@wharf/contract'
import { HookPage } from '../../../data/testing/render-hook.ts'
import type { BulkAction } from './bulk-action.ts'

const { useBulkRun } = await import('./use-bulk-run.ts')

type Work = PromiseWithResolvers<unknown>

/** An action whose calls the test ends. */
async function setup(t: TestContext, names: readonly string[], changes: Partial<BulkAction<string>> = {}) {
  const works = new Map<string, Work>()
  const action: BulkAction<string> = {
    id: 'delete',
    label: 'Delete',
    operation: deleteHost,
    consequences: '',
    run: (name) => {
      const work = Promise.withResolvers<unknown>()
      works.set(name, work)
      return work.promise
    },
    inputOf: (uuid) => ({ uuid }),
    ...changes,
  }
  const hook = await new HookPage(t).render(() => useBulkRun(action, names, (name) => name))
  return {
    hook,
    started: () => [...works.keys()],
    end: (name: string, error?: Error) =>
      hook.act(() => (error ? works.get(name)?.reject(error) : works.get(name)?.resolve(undefined))),
    states: () => hook.current.rows.map(({ key, state }) => `${key} ${state.kind}`),
  }
}

test('the rows run after the confirmation, each with its result', async (t) => {
  const { hook, started, end, states } = await setup(t, ['a', 'b'])
  assert.deepEqual([hook.current.phase, started()], ['confirm', []])
  await hook.act(() => hook.current.start())
  assert.deepEqual([started(), hook.current.phase], [['a', 'b'], 'ending'])
  await end('a')
  await end('b', new Error('in use'))
  assert.deepEqual(states(), ['a succeeded', 'b failed'])
  assert.equal(hook.current.phase, 'finished')
})

test('a second start repeats only what failed', async (t) => {
  const { hook, started, end, states } = await setup(t, ['a', 'b'])
  await hook.act(() => hook.current.start())
  await end('a')
  await end('b', new Error('in use'))
  await hook.act(() => hook.current.start())
  assert.deepEqual(states(), ['a succeeded', 'b running'])
  await end('b')
  assert.deepEqual(
    [states(), started()],
    [
      ['a succeeded', 'b succeeded'],
      ['a', 'b'],
    ],
  )
})

test('after a stop the rows that run end, and no other starts', async (t) => {
  const { hook, started, end, states } = await setup(t, ['a', 'b', 'c', 'd', 'e', 'f'])
  await hook.act(() => hook.current.start())
  assert.deepEqual([started().length, hook.current.phase], [4, 'running'])
  await hook.act(() => hook.current.stop())
  assert.equal(hook.current.phase, 'ending')
  for (const name of started()) await end(name)
  assert.deepEqual(states().slice(3), ['d succeeded', 'e ready', 'f ready'])
  assert.equal(hook.current.phase, 'finished')
  await hook.act(() => hook.current.start())
  assert.deepEqual(started().slice(4), ['e', 'f'], 'the next start continues')
})

test('records are prepared before the confirmation; one that cannot be included is skipped', async (t) => {
  const prepared = Promise.withResolvers<void>()
  const { hook, started, states } = await setup(t, ['a', 'b', 'c', 'd'], {
    problem: (name) => (name === 'd' ? 'is disabled' : undefined),
    prepare: async (name) => {
      await prepared.promise
      if (name === 'b') throw new Error('not found')
      return name === 'c' ? { problem: 'has packages' } : { value: name }
    },
  })
  assert.deepEqual([hook.current.phase, states()[3]], ['preparing', 'd skipped'])
  await hook.act(() => prepared.resolve())
  assert.deepEqual(states(), ['a ready', 'b skipped', 'c skipped', 'd skipped'])
  assert.equal(hook.current.phase, 'confirm')
  await hook.act(() => hook.current.start())
  assert.deepEqual(started(), ['a'])
})

test('a dialog that is closed starts no further row', async (t) => {
  const { hook, started, end } = await setup(t, ['a', 'b', 'c', 'd', 'e'])
  await hook.act(() => hook.current.start())
  await hook.unmount()
  await end('a')
  assert.equal(started().length, 4)
})
