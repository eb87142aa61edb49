import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import { MarkedLines, newMarker, skipToStart } from './marker.ts'

const marker = newMarker()

/** The same bytes in pieces of any size. */
const inPieces = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...places, bytes.length].map((place, index) => bytes.subarray(places[index - 1] ?? 0, place))
}

test('skips the output of a login shell, and nothing of the program', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), fc.array(fc.nat(400)), async (noise, program, cuts) => {
      const stream = Readable.from(inPieces(Buffer.from(`${noise}\n${marker}\n${program}`), cuts), {
        objectMode: false,
      })
      assert.deepEqual(await skipToStart(stream, marker), { found: true, noise })
      assert.equal(await text(stream), program)
    }),
    { numRuns: 200 },
  )
})

test('returns the output when the program never started', async () => {
  const stream = new PassThrough()
  stream.end(`Permission denied ${marker}`)
  assert.deepEqual(await skipToStart(stream, marker), { found: false, noise: `Permission denied ${marker}` })
})

test('keeps only the end of endless noise', async () => {
  const stream = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(65_536, 'x')))
  const { found, noise } = await skipToStart(stream, marker)
  assert.equal(found, false)
  assert.equal(noise.length, 65_536)
})

test('returns the lines and the result of the program, whatever the chunks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('', 'a', ' ', 'two words', marker, `x${marker} 0`)),
      fc.boolean(),
      fc.array(fc.nat(400)),
      (lines, isOpen, cuts) => {
        const program = lines.map((line, index) => (isOpen && index === lines.length - 1 ? line : `${line}\n`)).join('')
        const seen: string[] = []
        let ends = 0
        const marked = new MarkedLines(
          marker,
          (line) => seen.push(line),
          () => ends++,
        )
        for (const piece of inPieces(Buffer.from(`${program}\n${marker} 7\ndaemon talks\n`), cuts)) marked.push(piece)
        marked.end()
        assert.equal(marked.result, '7')
        assert.equal(ends, 1)
        // an empty line without an end is not a line
        assert.deepEqual(seen, isOpen && lines.at(-1) === '' ? lines.slice(0, -1) : lines)
      },
    ),
  )
})

test('has no result when the program did not end', () => {
  const seen: string[] = []
  const marked = new MarkedLines(
    marker,
    (line) => seen.push(line),
    () => assert.fail(),
  )
  marked.push(Buffer.from('a\n\n'))
  marked.end()
  assert.equal(marked.result, undefined)
  assert.deepEqual(seen, ['a', ''])
})
