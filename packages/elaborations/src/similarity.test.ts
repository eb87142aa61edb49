import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naiveSimilarity } from '@wharf/testkit'
import fc from 'fast-check'
import { commonPrefix, neededMatches, similarityOf } from './similarity.ts'

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
  test(`${a || '(nothing)'} and ${b || '(nothing)'} are alike by ${similarity}`, () => {
    assert.equal(Number(similarityOf(a, b).toFixed(4)), similarity)
  })

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '磁'), maxLength: 24 })

test('agrees with the textbook', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      assert.ok(Math.abs(similarityOf(a, b) - naiveSimilarity(a, b)) < 1e-12, `${a} ${b}`)
    }),
    { numRuns: 3000 },
  )
})

test('the bound rules out nothing that is alike', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      if (a === '' || b === '' || naiveSimilarity(a, b) < 0.9) return
      const needed = neededMatches(a.length, b.length, commonPrefix(a, b), 0.9)
      assert.ok(needed <= Math.min(a.length, b.length))
    }),
    { numRuns: 3000 },
  )
})
