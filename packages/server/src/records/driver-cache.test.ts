import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { DriverCache } from './driver-cache.ts'

class FakeDriver {
  isOpen = true
  readonly #onClose: () => Promise<void>

  constructor(onClose = async () => {}) {
    this.#onClose = onClose
  }

  async close(): Promise<void> {
    this.isOpen = false
    await this.#onClose()
  }
}

interface Row {
  readonly uuid: string
  readonly address: string
  readonly open?: () => Promise<FakeDriver>
}

/** A cache, and the drivers that it has opened. */
function fixture() {
  const opened: FakeDriver[] = []
  const cache = new DriverCache<Row, FakeDriver>({
    connectionKey: ({ address }) => address,
    open: async ({ open }) => {
      if (open) return open()
      await turn()
      const driver = new FakeDriver()
      opened.push(driver)
      return driver
    },
  })
  return { opened, cache }
}

const refuse = (): Promise<FakeDriver> => Promise.reject(new Error('refused'))
const row = (uuid: string, address = '', open?: Row['open']): Row => ({ uuid, address, ...(open ? { open } : {}) })

test('concurrent and later callers get the same driver', async () => {
  const { opened, cache } = fixture()
  const all = await Promise.all(Array.from({ length: 5 }, () => cache.of(row('a'))))
  assert.equal(new Set([...all, await cache.of(row('a'))]).size, 1)
  assert.equal(opened.length, 1)
  assert.notEqual(await cache.of(row('b')), all[0])
})

test('a changed record gets a new driver, and the old one is closed', async () => {
  const { opened, cache } = fixture()
  const [old, ...others] = await Promise.all(['old', 'new', 'new'].map((address) => cache.of(row('a', address))))
  assert.equal(old?.isOpen, false)
  assert.equal(new Set(others).size, 1)
  assert.equal(others[0]?.isOpen, true)
  assert.equal(opened.length, 2)
})

test('after a failure to open, the next caller tries again', async () => {
  const { cache } = fixture()
  const both = await Promise.allSettled([cache.of(row('a', '', refuse)), cache.of(row('a'))])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const driver = await cache.of(row('a'))
  assert.equal(await cache.of(row('a')), driver)
})

test('a late failure does not remove the driver that was opened meanwhile', async () => {
  const { cache } = fixture()
  const late = Promise.withResolvers<FakeDriver>()
  const waiting = assert.rejects(cache.of(row('a', 'old', () => late.promise)))
  const second = cache.of(row('a', 'new'))
  late.reject(new Error('refused'))
  await waiting
  assert.equal(await cache.of(row('a', 'new')), await second)
})

test('a forgotten driver is closed, also while it is being opened', async () => {
  const { opened, cache } = fixture()
  const opening = cache.of(row('a'))
  await cache.forget('a')
  assert.equal((await opening).isOpen, false)
  await cache.forget('a')
  assert.notEqual(await cache.of(row('a')), opened[0])
})

test('closes all drivers except the listed ones, also when a close fails', async () => {
  const { opened, cache } = fixture()
  const failing = new FakeDriver(() => Promise.reject(new Error('it hangs')))
  await cache.of(row('failing', '', async () => failing))
  await cache.of(row('never', '', refuse)).catch(() => {})
  for (const uuid of ['a', 'b']) await cache.of(row(uuid))
  await cache.keepOnly(['b', 'c'])
  assert.deepEqual(
    [failing, ...opened].map(({ isOpen }) => isOpen),
    [false, false, true],
  )
  await cache.closeAll()
  assert.equal(opened[1]?.isOpen, false)
})
