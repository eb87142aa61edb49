import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { passingMd5 } from './passing-md5.ts'

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
      const md5 = passingMd5(expected)
      for (const piece of pieces) await md5.update(piece)
      assert.equal(await md5.digest(), hash('md5', Buffer.concat(pieces), 'hex'))
      md5.close()
      md5.close()
    })
}

test('a thread that was let go of fails whoever still waits', async () => {
  const md5 = passingMd5(many)
  const waiting = md5.update(randomBytes(20_000_000))
  md5.close()
  await assert.rejects(async () => {
    await waiting
    await md5.digest()
  }, /hashing thread has ended/)
})
