import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { gzipped, installable } from '@wharf/testkit'
import { file, tarOf, zipOf } from '@wharf/testkit/packages/archives.ts'
import { inspectFile, transfer } from './transfer.ts'

const plentyBytes = 2 ** 40
const manifest = JSON.stringify({ name: 'demo', version: '1', type: 'demo' })

function freshFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-transfer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

interface Sent {
  readonly bytes: Buffer
  readonly fileName: string
  readonly size?: number
  readonly availableBytes?: number
  readonly signal?: AbortSignal
  readonly deliver?: (bytes: Readable) => Promise<void>
}

/** Transfers the bytes; `arrived` is what the target received. */
async function send(folder: string, { bytes, fileName, size = bytes.length, ...rest }: Sent) {
  const { availableBytes = plentyBytes, signal = new AbortController().signal, deliver } = rest
  const source = { stream: Readable.from(pieces(bytes)), size, fileName }
  const reported: number[] = []
  let arrived: Buffer | undefined
  const take = async (stream: Readable): Promise<void> => {
    arrived = await buffer(stream)
  }
  const spoolFile = join(folder, 'spool')
  const onProgress = (percent: number): void => void reported.push(percent)
  const result = await transfer({ source, availableBytes, spoolFile, signal, deliver: deliver ?? take, onProgress })
  return { result, reported, arrived }
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
}

const zip = zipOf([
  { name: 'wharf.json', data: manifest },
  { name: 'x', data: randomBytes(5000) },
])
const kinds = [
  { fileName: 'p.tar', bytes: installable(), format: 'tar' },
  { fileName: 'p.tar.gz', bytes: gzipped(installable()), format: 'tar.gz' },
  { fileName: 'p.zip', bytes: zip, format: 'zip' },
  { fileName: 'blob', bytes: randomBytes(50_000), format: 'file' },
  { fileName: 'empty', bytes: Buffer.alloc(0), format: 'file' },
] as const

for (const { fileName, bytes, format } of kinds) {
  const expected = {
    format,
    size: bytes.length,
    md5: hash('md5', bytes, 'hex'),
    name: format === 'file' ? undefined : 'demo',
  }
  const seen = ({ format, size, md5, manifest }: Awaited<ReturnType<typeof inspectFile>>) => {
    return { format, size, md5, name: manifest?.name }
  }

  test(`transfers ${fileName} byte for byte and inspects it`, async (t) => {
    const { result, reported, arrived } = await send(freshFolder(t), { fileName, bytes })
    assert.deepEqual(seen(result), expected)
    assert.ok(arrived?.equals(bytes))
    assert.deepEqual(
      reported,
      reported.toSorted((a, b) => a - b),
    )
    if (bytes.length > 0) assert.equal(reported.at(-1), 100)
  })

  test(`inspects ${fileName} without copying it`, async (t) => {
    const path = join(freshFolder(t), 'f')
    writeFileSync(path, bytes)
    const { signal } = new AbortController()
    const found = await inspectFile({ file: path, fileName, md5: expected.md5, availableBytes: plentyBytes, signal })
    assert.deepEqual(seen(found), expected)
  })
}

test('a package that does not fit is refused before its first byte', async (t) => {
  const deliver = async (): Promise<void> => assert.fail('nothing is to be delivered')
  const sending = send(freshFolder(t), { ...kinds[0], availableBytes: 100, deliver })
  await assert.rejects(sending, { code: 'SoftwarePackage.1121', message: /100 are free/ })
})

test('a package that fits, but not together with its contents, is refused', async (t) => {
  const bytes = gzipped(tarOf(file('zeros', Buffer.alloc(100_000))))
  await assert.rejects(send(freshFolder(t), { fileName: 'p.tgz', bytes, availableBytes: 50_000 }), {
    code: 'SoftwarePackage.1132',
  })
})

test('a zip that breaks a rule is never delivered', async (t) => {
  const folder = freshFolder(t)
  const bytes = zipOf([{ name: '../x', data: 'x' }])
  const deliver = async (): Promise<void> => assert.fail('nothing is to be delivered')
  await assert.rejects(send(folder, { fileName: 'p.zip', bytes, deliver }), { code: 'SoftwarePackage.1132' })
})

test('a failure of the delivery is reported, and the source is closed', async (t) => {
  const stream = Readable.from(pieces(installable({ more: [{ name: 'b', data: randomBytes(500_000) }] })))
  const closed = new Promise((resolve) => stream.once('close', () => resolve(true)))
  const full = new Error('disk full')
  const deliver = async (bytes: Readable): Promise<void> => {
    bytes.destroy(full)
    throw full
  }
  const given = { availableBytes: plentyBytes, spoolFile: join(freshFolder(t), 's'), deliver, onProgress: () => {} }
  const { signal } = new AbortController()
  await assert.rejects(transfer({ ...given, source: { stream, size: undefined, fileName: 'p.tar' }, signal }), full)
  assert.equal(await closed, true)
})

for (const { fileName, bytes } of kinds.slice(0, 3))
  test(`an abort in the middle of ${fileName} ends it with its reason and leaves nothing`, async (t) => {
    const folder = freshFolder(t)
    const stop = new AbortController()
    const reason = new Error('cancelled')
    async function* slow(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, 1000)
      stop.abort(reason)
      yield bytes.subarray(1000)
    }
    const source = { stream: Readable.from(slow()), size: undefined, fileName }
    const deliver = async (stream: Readable): Promise<void> => void (await buffer(stream))
    const given = { availableBytes: plentyBytes, spoolFile: join(folder, 's'), deliver, onProgress: () => {} }
    await assert.rejects(transfer({ ...given, source, signal: stop.signal }), (error) => {
      assert.ok(error === reason || (error as Error).name === 'AbortError', String(error))
      return true
    })
    assert.deepEqual(readdirSync(folder), [])
  })

test('a missing spool folder is reported', async (t) => {
  const folder = freshFolder(t)
  const spool = join(folder, 'gone/spool')
  const source = { stream: Readable.from(pieces(zip)), size: zip.length, fileName: 'p.zip' }
  const given = { availableBytes: plentyBytes, spoolFile: spool, deliver: async () => {}, onProgress: () => {} }
  await assert.rejects(transfer({ ...given, source, signal: new AbortController().signal }), { code: 'ENOENT' })
  assert.ok(!existsSync(spool))
})
