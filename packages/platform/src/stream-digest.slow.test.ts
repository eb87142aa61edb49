import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { streamMd5, streamSha256 } from './stream-digest.ts'

const manyBytes = 2 ** 40

for (const [where, expected] of [
  ['in this thread', 0],
  ['in a thread', manyBytes],
] as const) {
  for (const [name, lengths] of [
    ['nothing', []],
    ['one byte', [1]],
    ['pieces of any length', [1, 65_536, 3_000_000, 17, 1_048_576, 999_999]],
    ['more than fits at once', [20_000_000, 5]],
  ] as const)
    test(`${name}, ${where}`, async () => {
      const pieces = lengths.map((length) => randomBytes(length))
      for (const [algorithm, digest] of [
        ['md5', streamMd5(expected)],
        ['sha256', streamSha256(expected)],
      ] as const) {
        for (const piece of pieces) await digest.update(piece)
        assert.equal(await digest.digest(), hash(algorithm, Buffer.concat(pieces), 'hex'))
        digest.close()
        digest.close()
      }
    })
}

test('a digest that is closed fails every pending call, whatever the thread was about to reply', async () => {
  const bytes = Buffer.alloc(200_000_000)
  for (let round = 0; round < 15; round++) {
    const md5 = streamMd5(manyBytes)
    const refused = assert.rejects(async () => {
      await md5.update(bytes)
      await md5.digest()
    }, /hashing thread was stopped/)
    await delay(10 + 5 * round)
    md5.close()
    // so that its last reply arrives together with its end
    const until = performance.now() + 20
    while (performance.now() < until);
    await refused
  }
})
