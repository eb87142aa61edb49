import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { passingMd5, passingSha256 } from './passing-digest.ts'

const many = 2 ** 40

for (const [where, expected] of [
  ['here', 0],
  ['in a thread', many],
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
        ['md5', passingMd5(expected)],
        ['sha256', passingSha256(expected)],
      ] as const) {
        for (const piece of pieces) await digest.update(piece)
        assert.equal(await digest.digest(), hash(algorithm, Buffer.concat(pieces), 'hex'))
        digest.close()
        digest.close()
      }
    })
}

test('a thread that was let go of fails whoever still waits, whatever it was about to say', async () => {
  const bytes = Buffer.alloc(200_000_000)
  for (let round = 0; round < 15; round++) {
    const md5 = passingMd5(many)
    const refused = assert.rejects(async () => {
      await md5.update(bytes)
      await md5.digest()
    }, /hashing thread has ended/)
    await delay(10 + 5 * round)
    md5.close()
    // so that its last words come together with its end
    const until = performance.now() + 20
    while (performance.now() < until);
    await refused
  }
})
