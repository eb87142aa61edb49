import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { reverseCleanup, serverEnvironment, UploadServer } from '@wharf/testkit'
import { Upload, type UploadOptions } from 'tus-js-client'

const MiB = 1024 * 1024
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

interface Sending {
  readonly upload: Upload
  readonly done: Promise<void>
}

/** The common tus client of pages and programs, at the address of an existing upload. */
function send(bytes: Buffer | Readable, uploadUrl: string, options: Partial<UploadOptions> = {}): Sending {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(bytes as Buffer, {
    uploadUrl,
    chunkSize: MiB,
    retryDelays: [0, 50, 100, 200, 400, 800],
    onSuccess: () => resolve(),
    onError: reject,
    ...options,
  })
  upload.start()
  return { upload, done: promise }
}

async function assertArrived(server: UploadServer, id: string, bytes: Buffer): Promise<void> {
  await server.waitForState(id, 'Finished')
  assert.equal((await server.row(id))?.md5, md5(bytes))
}

test('a file of known size, in slices', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(5 * MiB + 3)
  const { url, id } = await server.openUpload({ size: bytes.length })
  await send(bytes, url).done
  await assertArrived(server, id, bytes)
})

test('a file whose length is set with the last slice', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(2 * MiB + 3)
  const { url, id } = await server.openUpload()
  await send(bytes, url, { uploadLengthDeferred: true }).done
  await assertArrived(server, id, bytes)
})

/** The reader of docs/writing-a-client.md, because the library's own never ends on such a stream. */
async function documentedReader(): Promise<NonNullable<UploadOptions['fileReader']>> {
  const page = readFileSync(new URL('../../../../../docs/writing-a-client.md', import.meta.url), 'utf8')
  const code = /^```js tus-stream\n(.*?)^```$/ms.exec(page)?.[1] ?? ''
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).fileReader
}

for (const [what, sizeBytes, chunkSize] of [
  ['longer than two of the largest slices', 130 * MiB + 3, 64 * MiB],
  ['an exact multiple of a slice', 3 * MiB, MiB],
  ['shorter than a slice', 7, MiB],
] as const) {
  test(`a stream of unknown length, ${what}`, async (t) => {
    const server = await UploadServer.start(t)
    const piece = Buffer.alloc(64 * 1024)
    const hash = createHash('md5')
    const pieces = function* () {
      for (let left = sizeBytes; left > 0; left -= piece.length) {
        const next = piece.subarray(0, left)
        hash.update(next)
        yield next
      }
    }
    const { url, id } = await server.openUpload()
    const fileReader = await documentedReader()
    await send(Readable.from(pieces()), url, { uploadLengthDeferred: true, chunkSize, fileReader }).done
    await server.waitForState(id, 'Finished')
    assert.equal((await server.row(id))?.md5, hash.digest('hex'))
  })
}

test('with POST in place of PATCH', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(2 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  await send(bytes, url, { overridePatchMethod: true }).done
  await assertArrived(server, id, bytes)
})

test('aborted, and resumed by another instance at the same address', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(6 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  const second = Promise.withResolvers<void>()
  const first = send(bytes, url, { onChunkComplete: (_size, accepted) => accepted >= 2 * MiB && second.resolve() })
  await second.promise
  await first.upload.abort()
  const offsets: number[] = []
  await send(bytes, url, { onChunkComplete: (size, accepted) => offsets.push(accepted - size) }).done
  assert.ok((offsets[0] ?? 0) >= 2 * MiB, 'what had arrived was not sent again')
  await assertArrived(server, id, bytes)
})

test('aborted and terminated', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(3 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  const started = Promise.withResolvers<void>()
  const { upload } = send(bytes, url, { onChunkComplete: () => started.resolve() })
  await started.promise
  await upload.abort(true)
  await server.waitForState(id, 'Ended')
})

test('several files at once', async (t) => {
  const server = await UploadServer.start(t)
  const files = Array.from({ length: 6 }, (_, index) => randomBytes(2 * MiB + index * 777))
  await Promise.all(
    files.map(async (bytes) => {
      const { url, id } = await server.openUpload({ size: bytes.length, md5: md5(bytes) })
      await send(bytes, url, { chunkSize: 400_000 }).done
      await assertArrived(server, id, bytes)
    }),
  )
})

test('a restart of the server only delays an upload', async (t) => {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  let server = await UploadServer.open(environment)
  cleanup.after(() => server.close())
  const { port } = server
  const bytes = randomBytes(8 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length, md5: md5(bytes) })
  const half = Promise.withResolvers<void>()
  const sending = send(bytes, url, { onChunkComplete: (_size, accepted) => accepted >= 3 * MiB && half.resolve() })
  await half.promise
  await server.close()
  server = await UploadServer.open(environment, { port })
  await sending.done
  await assertArrived(server, id, bytes)
})
