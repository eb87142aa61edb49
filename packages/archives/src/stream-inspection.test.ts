import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { PassThrough, Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { file, folder, tarHeader, tarOf, zipOf } from '@wharf/testkit/packages/archives.ts'
import { StreamInspection } from './stream-inspection.ts'

const manifest = JSON.stringify({ name: 'hello', version: '1.0', type: 'demo', install: { run: ['./install.sh'] } })

function inspection(fileName: string, signal: AbortSignal = new AbortController().signal): StreamInspection {
  return new StreamInspection({ fileName, availableBytes: 2 ** 40, signal })
}

async function resultOf(bytes: Buffer, fileName = 'package.tar') {
  const one = inspection(fileName)
  await buffer(Readable.from([bytes]).pipe(one.stream))
  return one.result()
}

const places: [name: string, tar: Buffer, topFolder: string | undefined, found: boolean][] = [
  ['at the root', tarOf(file('wharf.json', manifest), file('install.sh')), undefined, true],
  ['at the root, with names that start with ./', tarOf(folder('.'), file('./wharf.json', manifest)), undefined, true],
  [
    'under one top folder',
    tarOf(folder('hello-1'), file('hello-1/wharf.json', manifest), file('hello-1/x')),
    'hello-1',
    true,
  ],
  ['under a top folder that is not listed', tarOf(file('hello/wharf.json', manifest)), 'hello', true],
  [
    'at the root although a folder has one too',
    tarOf(file('a/wharf.json', '{'), file('wharf.json', manifest)),
    undefined,
    true,
  ],
  ['not when there are two top folders', tarOf(file('a/wharf.json', manifest), file('b/x')), undefined, false],
  ['not when a file is next to the top folder', tarOf(file('a/wharf.json', '{'), file('README')), undefined, false],
  ['not two folders down', tarOf(file('a/b/wharf.json', manifest)), undefined, false],
  ['not in an archive without one', tarOf(file('x')), undefined, false],
]

for (const [name, tar, topFolder, isFound] of places) {
  test(`finds wharf.json ${name}`, async () => {
    for (const [bytes, fileName] of [
      [tar, 'a.tar'],
      [gzipSync(tar), 'a.tar.gz'],
    ] as const) {
      const result = await resultOf(bytes, fileName)
      assert.equal(result.topFolder, topFolder)
      assert.equal(result.manifest?.name, isFound ? 'hello' : undefined)
    }
  })
}

test('accepts an image that the manifest names, under the top folder', async () => {
  const images = [{ key: 'GatewayImage', file: 'images/a.qcow2', platform: 'Linux' }]
  const text = JSON.stringify({ name: 'a', version: '1', type: 'Migrate', images })
  const { manifest } = await resultOf(tarOf(file('p/wharf.json', text), file('p/images/a.qcow2')))
  assert.deepEqual(manifest?.images, images)
})

test('reports the format after the first bytes, before they are consumed', async () => {
  for (const [bytes, wrapping] of [
    [zipOf([{ name: 'x'.repeat(600) }]), 'zip'],
    [tarOf(file('x')), 'tar'],
    [gzipSync(tarOf(file('x', randomBytes(1000)))), 'gzip'],
    [Buffer.alloc(600, 'x'), 'file'],
  ] as const) {
    const one = inspection('blob')
    one.stream.write(bytes)
    assert.equal(await one.wrapping(), wrapping)
    one.stream.destroy()
  }
})

test('waits for the consumer of the bytes', async () => {
  const one = inspection('package.tar')
  const source = new PassThrough()
  source.pipe(one.stream)
  source.write(tarHeader(file('x', Buffer.alloc(1 << 20))))
  let written = 0
  while (source.write(Buffer.alloc(16_384)) && written < 1 << 22) {
    written += 16_384
    await setImmediate()
  }
  assert.ok(written < 1 << 20, `${written} bytes were accepted although none were read`)
  one.stream.destroy()
})

/** The result of an inspection whose reader overwrites each piece as soon as it is forwarded. */
async function resultOfOverwritten(bytes: Buffer, fileName: string) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    Buffer.from(bytes.subarray(index * 65_536, (index + 1) * 65_536)),
  )
  const one = inspection(fileName)
  const fed = pipeline(Readable.from(pieces), one.stream)
  one.stream.on('data', (piece: Buffer) => piece.fill(0))
  await fed
  return one.result()
}

test('the memory of a forwarded piece is no longer needed', async () => {
  const packed = (...more: Parameters<typeof tarOf>) =>
    gzipSync(tarOf(file('wharf.json', manifest), file('install.sh', 'true'), ...more))
  for (const bytes of [packed(), packed(file('blob', randomBytes(2 ** 20)))])
    assert.equal((await resultOfOverwritten(bytes, 'package.tar.gz')).manifest?.name, 'hello')
  // it only starts like a compressed archive
  const notes = Buffer.concat([gzipSync('notes'), Buffer.alloc(2 ** 20)])
  const { format, md5 } = await resultOfOverwritten(notes, 'notes')
  assert.deepEqual([format, md5], ['file', hash('md5', notes)])
})

test('a signal ends it with its reason', async () => {
  const controller = new AbortController()
  const one = inspection('package.tar.gz', controller.signal)
  const reason = new Error('cancelled by the caller')
  const running = pipeline(new PassThrough(), one.stream, new PassThrough())
  controller.abort(reason)
  await assert.rejects(running, reason)
  await assert.rejects(one.result(), reason)
  await assert.rejects(one.wrapping(), reason)
})

test('an aborted signal ends it too', async () => {
  const one = inspection('package.tar', AbortSignal.abort(new Error('too late')))
  await assert.rejects(pipeline(Readable.from([tarOf(file('x'))]), one.stream, new PassThrough()), /too late/)
})

test('a source that breaks off is not an error of the archive', async () => {
  const one = inspection('package.tar')
  const source = Readable.from(
    (async function* () {
      yield tarOf(file('x')).subarray(0, 700)
      await setTimeout(1)
      throw new Error('connection lost')
    })(),
  )
  await assert.rejects(pipeline(source, one.stream, new PassThrough()), /connection lost/)
  await assert.rejects(one.result(), /connection lost/)
})

test('a refused archive is not forwarded completely', async () => {
  const one = inspection('package.tar')
  let ended = false
  const sink = new Writable({
    write: (_chunk, _encoding, done) => done(),
    final: (done) => {
      ended = true
      done()
    },
  })
  await assert.rejects(pipeline(Readable.from([tarOf(file('x')).subarray(0, 1024)]), one.stream, sink))
  assert.equal(ended, false)
})
