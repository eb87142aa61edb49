import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naiveSimilarity } from '@wharf/testkit'
import fc from 'fast-check'
import { similarityOf } from './similarity.ts'

const known: [a: string, b: string, similarity: number][] = [
  ['MARTHA', 'MARHTA', 0.9611],
  ['DIXON', 'DICKSONX', 0.8133],
  ['DWAYNE', 'DUANE', 0.84],
  ['same', 'same', 1],
  ['', '', 1],
  ['', 'a', 0],
  ['abc', 'xyz', 0],
  ['磁盘空间不足', '磁盘空间不够', 0.9333],
  ['Disk', 'disk', 0.8333],
]
for (const [a, b, similarity] of known)
  test(`${a || '(nothing)'} and ${b || '(nothing)'} have a similarity of ${similarity}`, () => {
    assert.equal(Number(similarityOf(a, b).toFixed(4)), similarity)
  })

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '磁'), maxLength: 24 })

test('agrees with the textbook definition', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.ok(Math.abs(similarityOf(a, b) - naiveSimilarity(a, b)) < 1e-12, `${a} ${b}`)
    }),
    { numRuns: 3000 },
  )
})

test('a required similarity excludes no text that reaches it', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      const similarity = similarityOf(a, b)
      const found = similarityOf(a, b, 0.9)
      assert.ok(similarity >= 0.9 ? found === similarity : found < 0.9, `${a} ${b}`)
    }),
    { numRuns: 3000 },
  )
})
