import assert from 'node:assert/strict'
import { test } from 'node:test'
import { box, heightOf, narrow, networkNames, topOf, wide } from './diagram-layout.ts'

test('nodes do not overlap', () => {
  for (let index = 0; index < 5; index++) assert.ok(topOf(index + 1) >= topOf(index) + box.height + box.gap)
})

test('the diagram contains all nodes', () => {
  for (const nodes of [1, 2, 3]) {
    const bottom = topOf(nodes - 1) + box.height
    assert.ok(heightOf(nodes, false) >= bottom)
    assert.ok(heightOf(nodes, true) >= topOf(nodes) + box.storage)
  }
})

for (const [name, layout] of Object.entries({ wide, narrow }))
  test(`the networks of the ${name} layout are left of the nodes, in order`, () => {
    const positions = networkNames.map((network) => layout.lines[network])
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    )
    assert.equal(new Set(positions).size, positions.length)
    assert.ok(Math.max(...positions) < layout.boxLeft)
    assert.ok(layout.boxLeft < layout.width)
  })
