import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterCreation } from './cluster-creation.ts'
import { emptyForm } from './cluster-form.ts'

/** A server that keeps components, and refuses as often as it is told to. */
function server({ refusals = 0, failingRemovals = 0 } = {}) {
  const known = new Map<string, string>()
  const started: string[] = []
  let made = 0
  const wharf = {
    clusterPlugins: {
      async add({ name }: { name: string }) {
        const uuid = `u${++made}`
        known.set(uuid, name)
        return { inventory: { uuid } }
      },
      async remove(uuid: string) {
        if (failingRemovals-- > 0) throw new Error('away')
        known.delete(uuid)
      },
    },
    async start(_: unknown, { uuid }: { uuid: string }) {
      if (refusals-- > 0) throw new Error('refused')
      started.push(uuid)
    },
  }
  const forming = new ClusterCreation(wharf as unknown as ConstructorParameters<typeof ClusterCreation>[0])
  return { forming, started, names: () => [...known.values()] }
}
const named = (name: string) => ({ ...emptyForm, name })

test('a component that is taken is added once and configured', async () => {
  const { forming, started, names } = server()
  assert.equal(await forming.form(named('first')), 'u1')
  assert.deepEqual([names(), started], [['first'], ['u1']])
  await forming.takeBack()
  assert.deepEqual(names(), ['first'])
})

test('a refused configuration leaves nothing, and the next attempt bears the name of the form', async () => {
  const { forming, names } = server({ refusals: 1 })
  await assert.rejects(forming.form(named('first')), /refused/)
  assert.deepEqual(names(), [])
  await forming.form(named('second'))
  assert.deepEqual(names(), ['second'])
})

test('what could not be removed goes with the next attempt, or when the wizard is left', async () => {
  const again = server({ refusals: 1, failingRemovals: 1 })
  await assert.rejects(again.forming.form(named('first')), /refused/)
  assert.deepEqual(again.names(), ['first'])
  await again.forming.form(named('second'))
  assert.deepEqual(again.names(), ['second'])
  const left = server({ refusals: 1, failingRemovals: 1 })
  await assert.rejects(left.forming.form(named('first')), /refused/)
  assert.equal(left.forming.left, 'u1')
  await left.forming.takeBack()
  assert.deepEqual([left.names(), left.forming.left], [[], undefined])
})

test('one that runs already is added and not configured', async () => {
  const { forming, started, names } = server()
  await forming.form({ ...named('old'), kind: 'takeover' })
  assert.deepEqual([names(), started], [['old'], []])
})
