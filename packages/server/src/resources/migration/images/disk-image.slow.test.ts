import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { sampled } from '@wharf/testkit'
import fc from 'fast-check'
import { diskImage, headBytes } from './disk-image.ts'
import { qcow2Overlay } from './qcow2-overlay.ts'

const run = promisify(execFile)
const skip = existsSync('/usr/bin/qemu-img') ? false : 'qemu-img is not installed'
const folder = await mkdtemp(join(tmpdir(), 'images-'))
after(() => rm(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)

async function inspect(path: string) {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return diskImage(buffer.subarray(0, bytesRead), (await stat(path)).size, path)
  } finally {
    await file.close()
  }
}

const info = async (path: string) =>
  JSON.parse((await run('qemu-img', ['info', '--output=json', path])).stdout) as Record<string, unknown>

const madeByQemu = [
  ...['512', '1M', '1G', '3T'].flatMap((size) =>
    [
      'compat=0.10',
      'compat=1.1',
      'cluster_size=512',
      'cluster_size=2M',
      'extended_l2=on,cluster_size=128k',
      'lazy_refcounts=on',
      'compression_type=zstd',
      'refcount_bits=1',
    ].map((options) => ({ size, options, format: 'qcow2' })),
  ),
  ...['512', '1000', '1M', '8G'].map((size) => ({ size, options: '', format: 'raw' })),
]

test('reads the same format and size from images as qemu-img', { skip }, async () => {
  // a third of them has every option, and every size
  const kept = sampled(madeByQemu).filter(
    ({ options, size }) => !(options === 'cluster_size=512' && size.endsWith('T')),
  )
  await Promise.all(
    kept.map(async ({ size, options, format }, index) => {
      const path = at(`${index}.${format}`)
      const more = options === '' ? [] : ['-o', options]
      await run('qemu-img', ['create', '-q', '-f', format, ...more, path, size])
      const expected = await info(path)
      const { format: found, size: virtual } = await inspect(path)
      assert.deepEqual(
        { format: found, virtual },
        { format: expected.format, virtual: expected['virtual-size'] },
        `${size} ${options}`,
      )
    }),
  )
})

test('refuses images of qemu-img that need another file or a secret', { skip }, async () => {
  await run('qemu-img', ['create', '-q', '-f', 'raw', at('base.raw'), '1M'])
  // without a limit qemu-img spends seconds on the derivation of the key
  const luks = 'encrypt.format=luks,encrypt.key-secret=s,encrypt.iter-time=10'
  const rows: [string, string[], RegExp][] = [
    ['backed', ['-b', at('base.raw'), '-F', 'raw'], /has a backing file/],
    ['backed-old', ['-o', 'compat=0.10', '-b', at('base.raw'), '-F', 'raw'], /has a backing file/],
    ['external', ['-o', `data_file=${at('data.raw')}`], /keeps its data in another file/],
    ['external-raw', ['-o', `data_file=${at('data2.raw')},data_file_raw=on`], /keeps its data in another file/],
    ['secret', ['--object', 'secret,id=s,data=abc', '-o', luks], /is encrypted/],
  ]
  for (const [name, args, message] of rows) {
    const path = at(`${name}.qcow2`)
    await run('qemu-img', ['create', '-q', '-f', 'qcow2', ...args, path, '1M'])
    await assert.rejects(inspect(path), message, name)
  }
})

test('refuses images of qemu-img in other formats', { skip }, async () => {
  for (const format of ['vmdk', 'vdi', 'vhdx', 'vpc', 'qed', 'qcow']) {
    const path = at(`foreign-${format}.img`)
    await run('qemu-img', ['create', '-q', '-f', format, path, '4M'])
    await assert.rejects(inspect(path), { code: 'SoftwarePackage.1132' }, format)
  }
})

test('creates overlays that pass qemu-img check and read as their backing image', { skip }, async () => {
  await writeFile(at('behind.raw'), Buffer.alloc(3 * 2 ** 20, 'behind'))
  const rows = [
    { path: at('behind.raw'), format: 'raw', size: 3 * 2 ** 20 },
    { path: at('1.qcow2'), format: 'qcow2', size: 2 ** 20 },
    { path: '/ü <&> 中/it', format: 'raw', size: 512 },
    { path: `/${'x'.repeat(1000)}`, format: 'qcow2', size: 16 * 2 ** 40 },
  ] as const
  for (const [index, backing] of rows.entries()) {
    const path = at(`overlay-${index}.qcow2`)
    await writeFile(path, qcow2Overlay(backing))
    await run('qemu-img', ['check', '-q', '-U', '-f', 'qcow2', path]).catch(async (error: { code: number }) => {
      // without the backing file, only the overlay itself can be checked
      if (existsSync(backing.path)) throw error
    })
    const expected = await info(path).catch(() => undefined)
    if (existsSync(backing.path))
      assert.deepEqual(
        [expected?.['virtual-size'], expected?.['backing-filename'], expected?.['backing-filename-format']],
        [backing.size, backing.path, backing.format],
      )
    await assert.rejects(inspect(path), /has a backing file/)
  }
  await run('qemu-img', ['compare', '-q', '-f', 'qcow2', '-F', 'raw', at('overlay-0.qcow2'), at('behind.raw')])
})

test('any bytes are accepted as an image or refused', () => {
  const heads = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => Buffer.concat([Buffer.from('QFI\xfb\0\0\0\x03', 'latin1'), bytes])),
  )
  fc.assert(
    fc.property(heads, fc.constantFrom('a.qcow2', 'a.raw', 'a.iso', 'a'), (head, name) => {
      try {
        const { size } = diskImage(Buffer.from(head), head.length, name)
        assert.ok(Number.isSafeInteger(size) && size >= 0)
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'SoftwarePackage.1132', String(error))
      }
    }),
  )
})
