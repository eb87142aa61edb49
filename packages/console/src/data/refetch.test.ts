import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { refetchAll, refetchChanged } from './refetch.ts'

/** A query that is rendered, and a server that answers on demand with the state at the time of the request. */
class Shown {
  state = 'Running'
  readonly queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })
  readonly #asked: (() => void)[] = []
  readonly #observer
  stop = (): void => {}

  constructor(t: TestContext) {
    this.#observer = new QueryObserver(this.queries, { queryKey: ['jobs', 1], queryFn: () => this.#ask() })
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

  get asked(): number {
    return this.#asked.length
  }

  async change(state: string): Promise<void> {
    this.state = state
    refetchChanged(this.queries, { queryKey: ['jobs'] })
    await nextTurn()
  }

  async answer(): Promise<void> {
    this.#asked.shift()?.()
    await nextTurn()
  }

  loseFirst(): void {
    this.#asked.shift()
  }

  #ask(): Promise<string> {
    const { state } = this
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#asked.push(() => (state === 'refused' ? reject(new Error(state)) : resolve(state)))
    return promise
  }
}

test('what is shown is asked for anew when it has changed', async (t) => {
  const shown = new Shown(t)
  await shown.answer()
  await shown.change('Succeeded')
  await shown.answer()
  assert.equal(shown.text, 'Succeeded')
})

for (const times of ['first', 'later'])
  test(`a change while the ${times} answer is on its way, which is from before it, is not missed`, async (t) => {
    const shown = new Shown(t)
    if (times === 'later') {
      await shown.answer()
      await shown.change('Undoing')
    }
    await shown.change('Succeeded')
    await shown.change('Succeeded')
    assert.equal(shown.asked, 1)
    await shown.answer()
    assert.notEqual(shown.text, 'Succeeded')
    await shown.answer()
    assert.equal(shown.text, 'Succeeded')
    assert.equal(shown.asked, 0)
  })

test('changes that come faster than answers do not keep them away', async (t) => {
  const shown = new Shown(t)
  for (let number = 1; number <= 5; number++) {
    await shown.change(`${number}`)
    await shown.answer()
    await shown.change(`${number} and a half`)
    assert.equal(shown.asked, 1)
  }
  assert.notEqual(shown.text, 'Running')
})

test('a change after a refusal that was on its way is asked for', async (t) => {
  const shown = new Shown(t)
  await shown.answer()
  await shown.change('refused')
  await shown.change('Succeeded')
  await shown.answer()
  await shown.answer()
  assert.equal(shown.text, 'Succeeded')
})

test('what is no longer shown is asked for when it is shown again', async (t) => {
  const shown = new Shown(t)
  await shown.answer()
  shown.stop()
  await shown.change('Succeeded')
  assert.equal(shown.asked, 0)
  shown.show()
  await shown.answer()
  assert.equal(shown.text, 'Succeeded')
})

for (const times of ['first', 'later'])
  test(`of a server that is back all is asked at once, though the ${times} answer is on its way`, async (t) => {
    const shown = new Shown(t)
    if (times === 'later') {
      await shown.answer()
      await shown.change('Undoing')
    }
    shown.state = 'Succeeded'
    void refetchAll(shown.queries)
    await nextTurn()
    assert.equal(shown.asked, 2)
    shown.loseFirst()
    await shown.answer()
    assert.equal(shown.text, 'Succeeded')
    assert.equal(shown.failure, null)
  })
