import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { reverseCleanup, serverEnvironment, UploadServer } from '@wharf/testkit'
import { Upload, type UploadOptions } from 'tus-js-client'

const MiB = 1024 * 1024
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

interface Sending {
  readonly upload: Upload
  readonly done: Promise<void>
}

/** The client that pages and programs out there use, at an address that is known already. */
function send(bytes: Buffer, uploadUrl: string, options: Partial<UploadOptions> = {}): Sending {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(bytes, {
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
  await server.untilState(id, 'Finished')
  assert.equal((await server.row(id))?.md5, md5(bytes))
}

test('a file of known size, in slices', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(5 * MiB + 3)
  const { url, id } = await server.openUpload({ size: bytes.length })
  await send(bytes, url).done
  await assertArrived(server, id, bytes)
})

test('a file whose length is told with the last slice', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(2 * MiB + 3)
  const { url, id } = await server.openUpload()
  await send(bytes, url, { uploadLengthDeferred: true }).done
  await assertArrived(server, id, bytes)
})

test('with POST in place of PATCH', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(2 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  await send(bytes, url, { overridePatchMethod: true }).done
  await assertArrived(server, id, bytes)
})

test('aborted in the middle, and resumed by another instance at the same address', async (t) => {
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

test('aborted for good', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(3 * MiB)
  const { url, id } = await server.openUpload({ size: bytes.length })
  const begun = Promise.withResolvers<void>()
  const { upload } = send(bytes, url, { onChunkComplete: () => begun.resolve() })
  await begun.promise
  await upload.abort(true)
  await server.untilState(id, 'Ended')
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

test('a server that is restarted in the middle is no more than a pause', async (t) => {
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
