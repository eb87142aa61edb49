import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterCreation, creationCalls } from './cluster-creation.ts'
import { emptyForm } from './cluster-form.ts'

/** A fake server that rejects the next calls on demand. */
function server({ refusals = 0, failingRemovals = 0 } = {}) {
  const data = new Map<string, string>()
  const started: string[] = []
  let lastId = 0
  const wharf = {
    clusterPlugins: {
      async add({ name }: { name: string }) {
        const uuid = `u${++lastId}`
        data.set(uuid, name)
        return { inventory: { uuid } }
      },
      async remove(uuid: string) {
        if (failingRemovals-- > 0) throw new Error('away')
        data.delete(uuid)
      },
    },
    async start(_: unknown, { uuid }: { uuid: string }) {
      if (refusals-- > 0) throw new Error('refused')
      started.push(uuid)
    },
  }
  const creation = new ClusterCreation(wharf as unknown as ConstructorParameters<typeof ClusterCreation>[0])
  return { creation, started, names: () => [...data.values()] }
}
const named = (name: string) => ({ ...emptyForm, name })

test('a component is added once and configured', async () => {
  const { creation, started, names } = server()
  assert.equal(await creation.form(named('first')), 'u1')
  assert.deepEqual([names(), started], [['first'], ['u1']])
  await creation.removeLeftover()
  assert.deepEqual(names(), ['first'])
})

test('a refused configuration leaves nothing, and the next attempt has the name of the form', async () => {
  const { creation, names } = server({ refusals: 1 })
  await assert.rejects(creation.form(named('first')), /refused/)
  assert.deepEqual(names(), [])
  await creation.form(named('second'))
  assert.deepEqual(names(), ['second'])
})

test('a leftover cluster is removed by the next attempt, or when the wizard is closed', async () => {
  const again = server({ refusals: 1, failingRemovals: 1 })
  await assert.rejects(again.creation.form(named('first')), /refused/)
  assert.deepEqual(again.names(), ['first'])
  await again.creation.form(named('second'))
  assert.deepEqual(again.names(), ['second'])
  const left = server({ refusals: 1, failingRemovals: 1 })
  await assert.rejects(left.creation.form(named('first')), /refused/)
  assert.equal(left.creation.leftoverUuid, 'u1')
  await left.creation.removeLeftover()
  assert.deepEqual([left.names(), left.creation.leftoverUuid], [[], undefined])
})

test('a running cluster is added and not configured', async () => {
  const { creation, started, names } = server()
  await creation.form({ ...named('old'), kind: 'takeover' })
  assert.deepEqual([names(), started], [['old'], []])
})

const calls: [kind: 'new' | 'takeover', pluginUuid: string | undefined, names: string[]][] = [
  ['new', undefined, ['AddClusterPlugin', 'UpdateClusterConfig']],
  ['takeover', undefined, ['AddClusterPlugin']],
  ['new', 'u1', ['UpdateClusterConfig']],
]
for (const [kind, pluginUuid, names] of calls)
  test(`${kind} of ${pluginUuid ?? 'a new cluster'} calls ${names.join(', ')}`, () =>
    assert.deepEqual(
      creationCalls({ ...emptyForm, kind }, pluginUuid).map(({ operation }) => operation.name),
      names,
    ))
