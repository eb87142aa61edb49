import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { UnsentBytes } from './unsent-bytes.ts'

function readers(limits: { maxBytes: number; stalledMs: number }) {
  const cut: string[] = []
  const unsent = new UnsentBytes(limits)
  const open = (name: string) => unsent.open(() => cut.push(name))
  return { unsent, open, cut }
}

test('sent bytes do not count any more, nor those of closed streams', () => {
  const { unsent, open } = readers({ maxBytes: 100, stalledMs: 1000 })
  const [a, b] = [open('a'), open('b')]
  a.set(60)
  b.set(30)
  a.set(10)
  assert.equal(unsent.total, 40)
  b.close()
  b.close()
  assert.equal(unsent.total, 10)
})

test('of unread streams the one that has stalled longest is disconnected, and only as many as needed', async () => {
  const { unsent, open, cut } = readers({ maxBytes: 100, stalledMs: 20 })
  const [a, b, c] = [open('a'), open('b'), open('c')]
  a.set(40)
  b.set(40)
  await delay(30)
  a.progress()
  c.set(40)
  assert.deepEqual([cut, unsent.total, unsent.disconnected], [['b'], 80, 1])
})

test('many that stall concurrently are disconnected before any has stalled for long', () => {
  const { unsent, open, cut } = readers({ maxBytes: 100, stalledMs: 60_000 })
  for (let n = 0; n < 20; n++) open(String(n)).set(20)
  assert.ok(unsent.total <= 150, `${unsent.total}`)
  assert.equal(cut.length, 13)
})

test('the first always has space, and no response displaces an active reader', () => {
  const { unsent, open } = readers({ maxBytes: 100, stalledMs: 60_000 })
  assert.equal(unsent.makeSpace(500), true)
  open('a').set(60)
  assert.equal(unsent.makeSpace(50), false)
  assert.equal(unsent.makeSpace(40), true)
})
