import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { KeptOpen } from './kept-open.ts'

class Line {
  isOpen = true
  readonly #hangUp: () => Promise<void>

  constructor(hangUp = async () => {}) {
    this.#hangUp = hangUp
  }

  async close(): Promise<void> {
    this.isOpen = false
    await this.#hangUp()
  }
}

/** Opens lines, later, and remembers them. */
function exchange() {
  const lines: Line[] = []
  const open = async (): Promise<Line> => {
    await turn()
    const line = new Line()
    lines.push(line)
    return line
  }
  return { lines, open, kept: new KeptOpen<Line>() }
}

const refuse = async (): Promise<Line> => {
  await turn()
  throw new Error('engaged')
}

test('all who ask at once, and later, get the same', async () => {
  const { lines, open, kept } = exchange()
  const all = await Promise.all(Array.from({ length: 5 }, () => kept.get('a', 'by road', open)))
  assert.deepEqual(new Set([...all, await kept.get('a', 'by road', open)]).size, 1)
  assert.equal(lines.length, 1)
  assert.notEqual(await kept.get('b', 'by road', open), all[0])
})

test('another way is another one, and the old one is closed', async () => {
  const { lines, open, kept } = exchange()
  const [old, ...others] = await Promise.all(['by road', 'by sea', 'by sea'].map((way) => kept.get('a', way, open)))
  assert.equal(old?.isOpen, false)
  assert.deepEqual(new Set(others).size, 1)
  assert.equal(others[0]?.isOpen, true)
  assert.equal(lines.length, 2)
})

test('what could not be opened is tried again by the next, and by nobody else', async () => {
  const { open, kept } = exchange()
  const both = await Promise.allSettled([kept.get('a', 'by road', refuse), kept.get('a', 'by road', open)])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const line = await kept.get('a', 'by road', open)
  assert.equal(await kept.get('a', 'by road', open), line)
})

test('a late failure does not take away what stands there meanwhile', async () => {
  const { open, kept } = exchange()
  const late = Promise.withResolvers<Line>()
  const waiting = assert.rejects(kept.get('a', 'by road', () => late.promise))
  const second = kept.get('a', 'by sea', open)
  late.reject(new Error('engaged'))
  await waiting
  assert.equal(await kept.get('a', 'by sea', open), await second)
})

test('what is forgotten is closed, also when it is still being opened', async () => {
  const { lines, open, kept } = exchange()
  const opening = kept.get('a', 'by road', open)
  await kept.forget('a')
  assert.equal((await opening).isOpen, false)
  await kept.forget('a')
  assert.notEqual(await kept.get('a', 'by road', open), lines[0])
})

test('keeps some, closes the others, and one that does not close well harms none', async () => {
  const { lines, open, kept } = exchange()
  const stubborn = new Line(async () => {
    throw new Error('it hangs')
  })
  await kept.get('stubborn', '', async () => stubborn)
  await kept.get('never', '', refuse).catch(() => {})
  for (const key of ['a', 'b']) await kept.get(key, '', open)
  await kept.keepOnly(['b', 'c'])
  assert.deepEqual(
    [stubborn, ...lines].map(({ isOpen }) => isOpen),
    [false, false, true],
  )
  await kept.closeAll()
  assert.equal(lines[1]?.isOpen, false)
})
