import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { refetchAll, refetchChanged } from './refetch-queries.ts'

/** A query that is rendered, and a server that answers on demand with the state at the time of the request. */
class RenderedQuery {
  state = 'Running'
  readonly queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })
  readonly #pending: (() => void)[] = []
  readonly #observer
  stop = (): void => {}

  constructor(t: TestContext) {
    this.#observer = new QueryObserver(this.queries, { queryKey: ['jobs', 1], queryFn: () => this.#request() })
    this.show()
    t.after(() => {
      this.stop()
      this.queries.clear()
    })
  }

  show(): void {
    this.stop = this.#observer.subscribe(() => {})
  }

  get text(): string | undefined {
    return this.#observer.getCurrentResult().data
  }

  get failure(): Error | null {
    return this.#observer.getCurrentResult().error
  }

  get pendingCount(): number {
    return this.#pending.length
  }

  async change(state: string): Promise<void> {
    this.state = state
    refetchChanged(this.queries, { queryKey: ['jobs'] })
    await nextTurn()
  }

  async answer(): Promise<void> {
    this.#pending.shift()?.()
    await nextTurn()
  }

  loseFirst(): void {
    this.#pending.shift()
  }

  #request(): Promise<string> {
    const { state } = this
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#pending.push(() => (state === 'refused' ? reject(new Error(state)) : resolve(state)))
    return promise
  }
}

test('refetches a rendered query after a change', async (t) => {
  const query = new RenderedQuery(t)
  await query.answer()
  await query.change('Succeeded')
  await query.answer()
  assert.equal(query.text, 'Succeeded')
})

for (const times of ['first', 'later'])
  test(`a change during the ${times} request is not missed`, async (t) => {
    const query = new RenderedQuery(t)
    if (times === 'later') {
      await query.answer()
      await query.change('Undoing')
    }
    await query.change('Succeeded')
    await query.change('Succeeded')
    assert.equal(query.pendingCount, 1)
    await query.answer()
    assert.notEqual(query.text, 'Succeeded')
    await query.answer()
    assert.equal(query.text, 'Succeeded')
    assert.equal(query.pendingCount, 0)
  })

test('shows responses although changes are faster', async (t) => {
  const query = new RenderedQuery(t)
  for (let number = 1; number <= 5; number++) {
    await query.change(`${number}`)
    await query.answer()
    await query.change(`${number} and a half`)
    assert.equal(query.pendingCount, 1)
  }
  assert.notEqual(query.text, 'Running')
})

test('refetches after a change during a rejected request', async (t) => {
  const query = new RenderedQuery(t)
  await query.answer()
  await query.change('refused')
  await query.change('Succeeded')
  await query.answer()
  await query.answer()
  assert.equal(query.text, 'Succeeded')
})

test('refetches a hidden query when it is rendered again', async (t) => {
  const query = new RenderedQuery(t)
  await query.answer()
  query.stop()
  await query.change('Succeeded')
  assert.equal(query.pendingCount, 0)
  query.show()
  await query.answer()
  assert.equal(query.text, 'Succeeded')
})

for (const times of ['first', 'later'])
  test(`after a reconnect, refetches without waiting for the ${times} request`, async (t) => {
    const query = new RenderedQuery(t)
    if (times === 'later') {
      await query.answer()
      await query.change('Undoing')
    }
    query.state = 'Succeeded'
    void refetchAll(query.queries)
    await nextTurn()
    assert.equal(query.pendingCount, 2)
    query.loseFirst()
    await query.answer()
    assert.equal(query.text, 'Succeeded')
    assert.equal(query.failure, null)
  })

test('only queries that match the filter are refetched', async (t) => {
  const query = new RenderedQuery(t)
  await query.answer()
  refetchChanged(query.queries, { queryKey: ['hosts'] })
  await nextTurn()
  assert.equal(query.pendingCount, 0)
  refetchChanged(query.queries, { queryKey: ['jobs'] })
  await nextTurn()
  assert.equal(query.pendingCount, 1)
})

test('without a filter every rendered query is refetched', async (t) => {
  const query = new RenderedQuery(t)
  await query.answer()
  refetchChanged(query.queries)
  await nextTurn()
  assert.equal(query.pendingCount, 1)
})

test('a rejected response shows its error until the next one succeeds', async (t) => {
  const query = new RenderedQuery(t)
  await query.answer()
  await query.change('refused')
  await query.answer()
  assert.equal(query.failure?.message, 'refused')
  assert.equal(query.text, 'Running')
  await query.change('Succeeded')
  await query.answer()
  assert.equal(query.failure, null)
  assert.equal(query.text, 'Succeeded')
})

test('a hidden query is not refetched after a reconnect, but when it is rendered again', async (t) => {
  const query = new RenderedQuery(t)
  await query.answer()
  query.stop()
  query.state = 'Succeeded'
  await refetchAll(query.queries)
  assert.equal(query.pendingCount, 0)
  query.show()
  await nextTurn()
  await query.answer()
  assert.equal(query.text, 'Succeeded')
})
