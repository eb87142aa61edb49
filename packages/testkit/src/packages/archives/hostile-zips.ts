import type { HostileArchive } from './hostile-archive.ts'
import { unicodePath, wideSizes, type ZipItem, type ZipOptions, zipOf } from './zip-builder.ts'

const item = (name: string, data = 'hello', more: Partial<ZipItem> = {}): ZipItem => ({ name, data, ...more })
const link = (name: string, target: string): ZipItem => ({ name, data: target, mode: 0o120777 })
const dir = (name: string): ZipItem => ({ name: `${name}/`, mode: 0o040755 })

const zip = (name: string, message: string, items: readonly ZipItem[], options?: ZipOptions): HostileArchive => ({
  name: `zip: ${name}`,
  fileName: 'package.zip',
  message,
  build: () => zipOf(items, options),
})

const zeros = Buffer.alloc(100_000)
const deflated = (more: Partial<ZipItem>): ZipItem => ({ name: 'a', data: zeros, method: 8, ...more })
const fullSizes = { compressed: 0xffffffff, uncompressed: 0xffffffff }

function end64(directoryOffset: number, directoryBytes: number, entries: number, changedEntries = entries): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(changedEntries), 24)
  record.writeBigUInt64LE(BigInt(changedEntries), 32)
  record.writeBigUInt64LE(BigInt(directoryBytes), 40)
  record.writeBigUInt64LE(BigInt(directoryOffset), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(directoryOffset + directoryBytes), 64)
  record.writeUInt32LE(1, 72)
  return record
}

export const hostileZips: readonly HostileArchive[] = [
  zip('..', '".."', [item('../x')]),
  zip('absolute name', 'absolute', [item('/tmp/x')]),
  zip('backslashes', 'Windows', [item('..\\x')]),
  zip('drive letter', 'Windows', [item('C:/x')]),
  zip('NUL in the name', 'NUL', [item('x\0y')]),
  zip('no name', 'no name', [item('')]),
  zip('not UTF-8', 'UTF-8', [{ name: Buffer.from('\xe9', 'latin1') }]),
  zip('name of 1025 bytes', '1024', [item(`${'abcdefgh/'.repeat(120)}x`)]),
  zip('65 folders deep', 'deeper', [dir(`${'a/'.repeat(64)}b`)]),
  zip('.. in the second name', '".."', [item('x', 'hello', { extra: unicodePath('x', '../x') })]),
  zip('.. in the first of two names', 'to some programs', [item('../x', 'hello', { extra: unicodePath('../x', 'x') })]),
  zip('absolute link', 'leaves', [link('l', '/etc')]),
  zip('link above', 'leaves', [link('l', '../x')]),
  zip('write through a link', 'goes through', [dir('d'), link('l', 'd'), item('l/x')]),
  zip('link that becomes a folder', 'twice', [link('l', 'd'), dir('l')]),
  zip('link to nothing', 'to nothing', [link('l', '')]),
  zip('target of 1025 bytes', '1024', [link('l', 'a/'.repeat(513))]),
  zip('device', 'device', [item('x', '', { mode: 0o020666 })]),
  zip('FIFO', 'device', [item('x', '', { mode: 0o010666 })]),
  zip('folder by its mode only', 'some programs only', [item('x', '', { mode: 0o040755 })]),
  zip('folder by its attributes only', 'some programs only', [item('x', '', { dosAttributes: 0x10 })]),
  zip('file by its mode only', 'some programs only', [item('x/', '', { mode: 0o100644 })]),
  zip('folder with data', 'has a size', [{ ...dir('x'), data: 'hello' }]),
  zip('encrypted', 'encrypted', [deflated({ flags: 0x801 })]),
  zip('encrypted before its data only', 'encrypted', [item('x', 'hello', { local: { flags: 0x801 } })]),
  zip('strongly encrypted', 'encrypt', [item('x', 'hello', { flags: 0x840 })]),
  zip('unknown compression', 'method 12', [item('x', 'hello', { method: 12 })]),
  zip('another name before the data', 'differently', [item('x', 'hello', { local: { name: '../x' } })]),
  zip('another size before the data', 'differently', [item('x', 'hello', { local: { uncompressed: 4 } })]),
  zip('another method before the data', 'differently', [item('x', 'hello', { local: { method: 8 } })]),
  zip('another checksum before the data', 'differently', [item('x', 'hello', { local: { crc: 1 } })]),
  zip('another wide size before the data', 'differently', [
    item('x', 'hello', { local: { ...fullSizes, extra: wideSizes(5, 6) } }),
  ]),
  zip('longer than declared', 'longer than', [
    deflated({ declared: { uncompressed: 10 }, local: { uncompressed: 10 } }),
  ]),
  zip('shorter than declared', 'shorter than', [
    deflated({ declared: { uncompressed: 200_000 }, local: { uncompressed: 200_000 } }),
  ]),
  zip('stored in another size', 'broken', [
    item('x', 'hello', { declared: { uncompressed: 4 }, local: { uncompressed: 4 } }),
  ]),
  zip('wrong checksum', 'checksum', [item('x', 'hello', { declared: { crc: 5 }, local: { crc: 5 } })]),
  zip('broken data', 'broken', [deflated({ raw: Buffer.from('this is not deflated data') })]),
  zip('something behind the data', 'broken', [
    deflated({ data: '', raw: Buffer.concat([Buffer.from([0x03, 0x00]), Buffer.from('text')]) }),
  ]),
  zip('data beyond the end', 'broken', [
    item('x', 'hello', {
      declared: { compressed: 1e6, uncompressed: 1e6 },
      local: { compressed: 1e6, uncompressed: 1e6 },
    }),
  ]),
  zip('entries that share their data', 'overlap', [item('x'), item('x', 'hello', { at: 0 })]),
  zip('directory with more entries than declared', 'longer than its entries', [item('x'), item('../y')], {
    patchEnd: (end) => {
      end.writeUInt16LE(1, 8)
      end.writeUInt16LE(1, 10)
    },
  }),
  zip('directory with fewer entries than declared', 'broken', [item('x')], {
    patchEnd: (end) => {
      end.writeUInt16LE(2, 8)
      end.writeUInt16LE(2, 10)
    },
  }),
  zip('more entries than allowed', 'more than 200000', [item('x')], {
    beforeEnd: (offset, bytes) => end64(offset, bytes, 300_000),
    patchEnd: (end) => {
      end.writeUInt16LE(0xffff, 8)
      end.writeUInt16LE(0xffff, 10)
    },
  }),
  zip('end records that differ', 'contradict', [item('x')], { beforeEnd: (offset, bytes) => end64(offset, bytes, 2) }),
  zip('something before the end record', 'does not end where', [item('x')], { beforeEnd: () => Buffer.from('text') }),
  zip('directory elsewhere', 'does not end where', [item('x')], { patchEnd: (end) => end.writeUInt32LE(1, 16) }),
  zip('one of several parts', 'several parts', [item('x')], { patchEnd: (end) => end.writeUInt16LE(0, 8) }),
  zip('second end record in the comment', 'end records', [item('x')], {
    comment: zipOf([]),
  }),
  zip('text behind the end', 'broken', [item('x')], { after: Buffer.from('text') }),
  { ...zip('cut', 'broken', []), build: () => zipOf([item('x')]).subarray(0, -30) },
  { ...zip('more than the free space', 'bytes free', [deflated({})]), availableBytes: 1000 },
  zip('wide size that is not a number', 'invalid size', [
    deflated({ declared: { uncompressed: 0xffffffff, extra: wideSizes(2 ** 60) } }),
  ]),
  zip('bomb by its directory', '200 times', [
    deflated({
      declared: { uncompressed: 0xffffffff, extra: wideSizes(2 ** 40) },
      local: { uncompressed: 0xffffffff, extra: wideSizes(2 ** 40, 0) },
    }),
  ]),
  zip('manifest that is not JSON', 'not JSON', [item('wharf.json', '{')]),
]
