import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import { maxPacketBytes, PacketSplitter } from './packet-splitter.ts'
import { isFile, isFolder, PacketReader, permissions, string, uint32, uint64 } from './packets.ts'

test('reads values as they were written', () => {
  const numbers = fc.record({ small: fc.nat(), large: fc.maxSafeNat(), text: fc.string({ unit: anyCharacter }) })
  fc.assert(
    fc.property(fc.array(numbers), (rows) => {
      const bytes = rows.flatMap(({ small, large, text }) => [uint32(small), uint64(large), string(text)])
      const reader = new PacketReader(Buffer.concat(bytes))
      for (const { small, large, text } of rows) {
        assert.equal(reader.uint32(), small)
        assert.equal(reader.uint64(), large)
        assert.equal(String(reader.string()), Buffer.from(text).toString())
      }
      assert.ok(reader.isAtEnd)
    }),
  )
})

test('reads attributes and skips those that are not used', () => {
  const everything = Buffer.concat([
    uint32(0x8000_000f),
    uint64(5_000_000_000),
    uint32(1000),
    uint32(1000),
    uint32(0o100644),
    uint32(1),
    uint32(2),
    uint32(1),
    string('name'),
    string('value'),
  ])
  const reader = new PacketReader(everything)
  const attributes = reader.attributes()
  assert.deepEqual(attributes, { size: 5_000_000_000, mode: 0o100644 })
  assert.ok(reader.isAtEnd)
  assert.deepEqual([isFile(attributes), isFolder(attributes)], [true, false])
  assert.deepEqual(new PacketReader(permissions(0o040700)).attributes(), { size: undefined, mode: 0o040700 })
  assert.equal(isFile({ size: 1, mode: undefined }), false)
})

test('a packet that is too short throws, whatever is read from it', () => {
  for (const read of [
    () => new PacketReader(Buffer.alloc(3)).uint32(),
    () => new PacketReader(Buffer.alloc(7)).uint64(),
    () => new PacketReader(uint32(1)).string(),
    () => new PacketReader(Buffer.concat([uint32(0xffff_ffff), Buffer.alloc(100)])).string(),
    () => new PacketReader(uint32(0xffff_ffff)).attributes(),
  ])
    assert.throws(read, RangeError)
})

test('splits packets wherever a chunk ends', () => {
  const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 20 })
  fc.assert(
    fc.property(packets, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (bodies, cuts) => {
      const stream = Buffer.concat(bodies.map((body) => string(Buffer.from(body))))
      const splitter = new PacketSplitter()
      const found: Buffer[] = []
      for (let at = 0, cut = 0; at < stream.length; cut++) {
        const size = cuts[cut % cuts.length] ?? 1
        found.push(...splitter.push(stream.subarray(at, at + size)))
        at += size
      }
      assert.deepEqual(
        found.map((packet) => [...packet]),
        bodies.map((body) => [...body]),
      )
    }),
  )
})

test('bytes that cannot be a packet are refused at once', () => {
  assert.throws(() => new PacketSplitter().push(Buffer.from('Welcome to this host!')), /not an SFTP packet/)
  assert.throws(() => new PacketSplitter().push(uint32(maxPacketBytes + 1)), /not an SFTP packet/)
  assert.throws(() => new PacketSplitter().push(uint32(0)), /not an SFTP packet/)
})
