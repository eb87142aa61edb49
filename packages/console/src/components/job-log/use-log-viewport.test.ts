import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { defineGlobal } from '../../browser/testing/fake-browser.ts'
import { HookPage } from '../../data/testing/render-hook.ts'
import { useLogViewport } from './use-log-viewport.ts'

const rowPixels = 20
const heightPixels = 200

/** An element that scrolls as in a browser: within its content. */
class FakeViewport {
  clientWidth = 800
  clientHeight = heightPixels
  scrollHeight = 0
  #top = 0

  get scrollTop(): number {
    return this.#top
  }

  set scrollTop(position: number) {
    this.#top = Math.max(0, Math.min(position, this.scrollHeight - this.clientHeight))
  }
}

interface Props {
  readonly count: number
  readonly isWrapped?: boolean
  readonly hidden?: readonly number[]
}

interface FakeRow {
  readonly dataset: { readonly number: string }
  getBoundingClientRect(): { height: number }
}

const rowOf = (number: number, height: number): FakeRow => ({
  dataset: { number: String(number) },
  getBoundingClientRect: () => ({ height }),
})

async function setup(t: TestContext, initial: Props) {
  const resized: (() => void)[] = []
  defineGlobal(
    'ResizeObserver',
    class {
      constructor(changed: () => void) {
        resized.push(changed)
      }
      observe(): void {}
      disconnect(): void {}
    },
  )
  const element = new FakeViewport()
  let rendered: FakeRow[] = []
  const hook = await new HookPage(t).render(({ count, isWrapped = false, hidden = [] }: Props) => {
    const log = useLogViewport({ count, isWrapped, hidden })
    element.scrollHeight = log.totalPixels
    log.viewport.current ??= element as unknown as HTMLDivElement
    log.rows.current = { children: rendered } as unknown as HTMLDivElement
    return log
  }, initial)
  const resize = (size: { width?: number; height?: number } = {}): Promise<void> =>
    hook.act(() => {
      element.clientWidth = size.width ?? element.clientWidth
      element.clientHeight = size.height ?? element.clientHeight
      for (const changed of resized) changed()
    })
  await resize()
  return {
    element,
    hook,
    resize,
    render: (rows: FakeRow[]) => (rendered = rows),
    scroll: (top: number) =>
      hook.act(() => {
        element.scrollTop = top
        hook.current.onScroll()
      }),
    press: async (key: string, changes: object = {}) => {
      let isPrevented = false
      const preventDefault = () => (isPrevented = true)
      const event = { key, target: element, preventDefault, ...changes } as unknown as Parameters<
        typeof hook.current.onKeyDown
      >[0]
      await hook.act(() => hook.current.onKeyDown(event))
      return isPrevented
    },
  }
}

test('a log that is opened shows its end, and follows it as it grows', async (t) => {
  const { hook, element } = await setup(t, { count: 100 })
  assert.equal(hook.current.totalPixels, 100 * rowPixels)
  assert.equal(element.scrollTop, 100 * rowPixels - heightPixels)
  assert.equal(hook.current.last, 100)
  await hook.rerender({ count: 150 })
  assert.equal(element.scrollTop, 150 * rowPixels - heightPixels)
  assert.deepEqual([hook.current.last, hook.current.isFollowing, hook.current.hasMore], [150, true, false])
})

test('only the rows around the visible ones are rendered', async (t) => {
  const { hook, scroll } = await setup(t, { count: 10_000 })
  await scroll(100_000)
  const { first, last, offsetPixels } = hook.current
  assert.ok(first <= 5001 && last >= 5010, `${first} to ${last}`)
  assert.ok(last - first < 100, `${last - first} rows`)
  assert.equal(offsetPixels, (first - 1) * rowPixels)
})

test('scrolling up ends following; new lines no longer move the reader', async (t) => {
  const { hook, element, scroll } = await setup(t, { count: 100 })
  await scroll(1000)
  assert.deepEqual([hook.current.isFollowing, hook.current.hasMore], [false, true])
  await hook.rerender({ count: 200 })
  assert.equal(element.scrollTop, 1000)
  await hook.act(() => hook.current.follow())
  assert.equal(element.scrollTop, 200 * rowPixels - heightPixels)
  assert.deepEqual([hook.current.isFollowing, hook.current.hasMore], [true, false])
})

test('scrolling back to the end follows again', async (t) => {
  const { hook, scroll } = await setup(t, { count: 100 })
  await scroll(500)
  await scroll(100 * rowPixels - heightPixels)
  assert.equal(hook.current.isFollowing, true)
})

test('a line that arrives before the event of a scroll up does not move the reader back', async (t) => {
  const { hook, element } = await setup(t, { count: 100 })
  element.scrollTop = 1200
  await hook.rerender({ count: 101 })
  assert.equal(element.scrollTop, 1200)
})

test('a search result is shown in the middle and ends following', async (t) => {
  const { hook, element } = await setup(t, { count: 1000 })
  await hook.act(() => hook.current.scrollTo(500))
  assert.equal(hook.current.isFollowing, false)
  const centre = element.scrollTop + heightPixels / 2
  assert.ok(Math.abs(centre - 499.5 * rowPixels) <= rowPixels, `the centre is at ${centre}`)
  await hook.act(() => hook.current.scrollTo(1))
  assert.equal(element.scrollTop, 0)
})

const endTop = 100 * rowPixels - heightPixels
for (const [key, from, to] of [
  ['Home', 1000, 0],
  ['End', 1000, endTop],
] as const)
  test(`${key} moves from ${from} to ${to}`, async (t) => {
    const { element, scroll, press, hook } = await setup(t, { count: 100 })
    await scroll(from)
    assert.equal(await press(key), true)
    assert.equal(element.scrollTop, to)
    assert.equal(hook.current.isFollowing, to === endTop)
  })

for (const key of ['ArrowUp', 'PageUp'])
  test(`${key} moves up, and leaves the key to the page at the start of the log`, async (t) => {
    const { element, scroll, press } = await setup(t, { count: 100 })
    await scroll(1000)
    assert.equal(await press(key), true)
    assert.ok(element.scrollTop < 1000)
    await scroll(0)
    assert.equal(await press(key), false)
  })

for (const [name, changes] of [
  ['with Ctrl', { ctrlKey: true }],
  ['with Shift', { shiftKey: true }],
  ['inside a link of a line', { target: {} }],
] as const)
  test(`Home ${name} is not a key of the log`, async (t) => {
    const { element, scroll, press } = await setup(t, { count: 100 })
    await scroll(1000)
    assert.equal(await press('Home', changes), false)
    assert.equal(element.scrollTop, 1000)
  })

test('hidden lines have no height', async (t) => {
  const { hook } = await setup(t, { count: 10, hidden: [3, 4, 99] })
  assert.equal(hook.current.totalPixels, 8 * rowPixels)
})

test('a wrapped row above the visible ones that is higher than expected does not move them', async (t) => {
  const { hook, element, scroll, render } = await setup(t, { count: 100, isWrapped: true })
  await scroll(1000)
  render([rowOf(10, 60), rowOf(60, 60)])
  await hook.rerender({ count: 100, isWrapped: true })
  assert.equal(hook.current.totalPixels, 100 * rowPixels + 80)
  assert.equal(element.scrollTop, 1000 + 40, 'by the difference of line 10, which is above; not of line 60')
})

test('another width measures wrapped rows again', async (t) => {
  const { hook, render, resize } = await setup(t, { count: 100, isWrapped: true })
  render([rowOf(100, 60)])
  await hook.rerender({ count: 100, isWrapped: true })
  assert.equal(hook.current.totalPixels, 100 * rowPixels + 40)
  render([])
  await resize({ width: 400 })
  assert.equal(hook.current.totalPixels, 100 * rowPixels)
})

test('a higher viewport keeps the end in view', async (t) => {
  const { hook, element, resize } = await setup(t, { count: 100 })
  await resize({ height: 400 })
  assert.equal(element.scrollTop, 100 * rowPixels - 400)
  assert.equal(hook.current.last, 100)
})
