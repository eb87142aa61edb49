import assert from 'node:assert/strict'
import { createHash, hash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { WharfError } from '../error.ts'
import { sendFile } from './file-request.ts'
import { fileSource } from './file-source.ts'
import { PauseControl } from './pause-control.ts'
import { sendSlices } from './send-slices.ts'
import { TusUpload } from './tus.ts'

/** More than the socket buffers hold, so that the sender waits for the reader. */
const bytes = randomBytes(24 * 2 ** 20 + 17)
const md5 = hash('md5', bytes, 'hex')
const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-file-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'source')
writeFileSync(path, bytes)

async function serve(t: TestContext, respond: RequestListener) {
  const closed: Promise<void>[] = []
  const server = createServer(respond).on('connection', (socket: Socket) => {
    closed.push(new Promise((resolve) => socket.once('close', () => resolve())))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/upload`, closed }
}

const request = (signal = AbortSignal.timeout(60_000)) => ({
  method: 'PATCH',
  headers: { 'upload-offset': '0' },
  signal,
})
const wholeFile = (file: FileHandle) => ({ file, from: 0, bytes: bytes.length, onSent: () => {} })

/** Pauses at random, longer than the sender needs to read the next chunk. */
async function md5Of(body: IncomingMessage): Promise<string> {
  const md5 = createHash('md5')
  for await (const chunk of body) {
    md5.update(chunk)
    if (randomInt(20) === 0) await delay(randomInt(10))
  }
  return md5.digest('hex')
}

/** Like a network file system: delayed reads that return fewer bytes than requested. */
function withShortReads(file: FileHandle): FileHandle {
  const read = async (into: Uint8Array, at: number, length: number, position: number) => {
    if (randomInt(4) === 0) await delay(randomInt(5))
    return file.read(into, at, randomInt(1, length + 1), position)
  }
  return Object.assign(Object.create(file), { read }) as FileHandle
}

for (const [name, from] of Object.entries({
  'full reads': (file: FileHandle) => file,
  'short reads': withShortReads,
})) {
  test(`a server that stalls receives every byte (${name})`, async (t) => {
    const { url } = await serve(t, async (call, reply) => reply.end(await md5Of(call)))
    await using file = await open(path)
    const sent: number[] = []
    const range = { ...wholeFile(from(file)), onSent: (count: number) => sent.push(count) }
    assert.equal(await (await sendFile(url, request(), range)).text(), md5)
    assert.equal(sent.at(-1), bytes.length)
    assert.deepEqual(
      sent,
      sent.toSorted((a, b) => a - b),
    )
  })
}

test('slices reuse one connection and declare their length', async (t) => {
  const { url, closed } = await serve(t, async (call, reply) => {
    await md5Of(call)
    reply.writeHead(204, { 'x-length': call.headers['content-length'], 'set-cookie': ['a=1', 'b=2'] }).end()
  })
  await using file = await open(path)
  for (let slice = 0; slice < 3; slice++) {
    const { status, headers } = await sendFile(url, request(), { ...wholeFile(file), bytes: 1_000_000 })
    assert.deepEqual([status, headers.get('x-length')], [204, '1000000'])
  }
  assert.equal(closed.length, 1)
})

for (const status of [302, 401, 409, 413, 503]) {
  test(`${status} is received before all is sent, and ends the connection`, async (t) => {
    const received = Promise.withResolvers<void>()
    let arrived = 0
    const { url, closed } = await serve(t, (call, reply) => {
      call
        .on('error', () => {})
        .once('data', () => {
          // read nothing more until the client has the response
          call.pause()
          received.promise.then(() => call.on('data', ({ length }) => (arrived += length)).resume())
          reply.writeHead(status, { 'retry-after': '7', location: '/elsewhere' }).end('{"error":null}')
        })
    })
    await using file = await open(path)
    const response = await sendFile(url, request(), wholeFile(file))
    assert.deepEqual([response.status, await response.text()], [status, '{"error":null}'])
    assert.deepEqual([response.headers.get('retry-after'), response.headers.get('location')], ['7', '/elsewhere'])
    received.resolve()
    await Promise.all(closed)
    assert.ok(arrived < bytes.length / 2, `${arrived} bytes arrived after the response`)
  })
}

test('an abort closes the connection and rejects with its reason', async (t) => {
  const started = Promise.withResolvers<IncomingMessage>()
  const { url, closed } = await serve(t, (call) => {
    call.on('error', () => {}).once('data', () => started.resolve(call.pause()))
  })
  await using file = await open(path)
  const stopping = new AbortController()
  const sending = sendFile(url, request(stopping.signal), wholeFile(file))
  const call = await started.promise
  const reason = new Error('enough')
  stopping.abort(reason)
  await assert.rejects(sending, reason)
  call.resume()
  await Promise.all(closed)
  await assert.rejects(sendFile(url, request(stopping.signal), wholeFile(file)), reason)
})

test('a read error is not reported as a network failure', async (t) => {
  const { url, closed } = await serve(t, (call) => void call.on('error', () => {}).resume())
  const file = await open(path)
  let reads = 0
  const read = (...parameters: Parameters<typeof file.read>) =>
    reads++ < 3 ? file.read(...parameters) : Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
  await assert.rejects(sendFile(url, request(), wholeFile({ read } as FileHandle)), { code: 'EIO' })
  await file.close()
  await Promise.all(closed)
})

test('a refused connection and a truncated response throw TypeError, as fetch does', async (t) => {
  await using file = await open(path)
  await assert.rejects(sendFile('http://127.0.0.1:1/', request(), wholeFile(file)), TypeError)
  const { url } = await serve(t, (call, reply) => {
    call.resume().once('end', () => {
      reply.writeHead(200, { 'content-length': 100 }).write('half')
      setImmediate(() => call.socket.destroy())
    })
  })
  await assert.rejects(sendFile(url, request(), { ...wholeFile(file), bytes: 1000 }), TypeError)
})

/** Keeps received bytes, as a Wharf server does, and closes the connection within some slices. */
class ClosingServer {
  readonly offsets: number[] = []
  readonly #kept: Buffer[] = []
  #remainingBreaks = 4

  get offset(): number {
    return this.#kept.reduce((sum, { length }) => sum + length, 0)
  }

  get md5(): string {
    return hash('md5', Buffer.concat(this.#kept), 'hex')
  }

  readonly respond: RequestListener = (call, reply) => {
    const sendOffset = (): void => void reply.writeHead(204, { 'upload-offset': this.offset }).end()
    if (call.method === 'HEAD') return sendOffset()
    const from = this.offset
    assert.equal(Number(call.headers['upload-offset']), from)
    this.offsets.push(from)
    call.on('error', () => {}).on('end', sendOffset)
    call.on('data', (chunk: Buffer) => {
      if (call.socket.destroyed) return
      this.#kept.push(chunk)
      if (this.#remainingBreaks > 0 && this.offset - from > 1_000_000) {
        this.#remainingBreaks--
        call.socket.destroy()
      }
    })
  }
}

test('resumes when the server closes the connection within a slice', async (t) => {
  const server = new ClosingServer()
  const { url } = await serve(t, server.respond)
  const source = await fileSource(path, false)
  t.after(() => source.close())
  const options = {
    source,
    sliceBytes: 8 * 2 ** 20,
    pauseControl: new PauseControl(),
    signal: undefined,
    onSent: () => {},
  }
  const retry = { tries: 3, maxMs: 60_000, firstPauseMs: 5, maxPauseMs: 50 }
  assert.equal(await sendSlices({ ...options, retry, upload: new TusUpload(url, fetch) }), bytes.length)
  assert.equal(server.md5, md5)
  // four interrupted slices, then the rest in slices of 8 MiB
  assert.equal(server.offsets.length, 7)
})

test('resumes a slice that took longer than the retry limit, and reports the outage once', async (t) => {
  const server = new ClosingServer()
  const { url } = await serve(t, (call, reply) => {
    if (call.method === 'HEAD') return server.respond(call, reply)
    setTimeout(() => server.respond(call, reply), 150)
  })
  const source = await fileSource(path, false)
  t.after(() => source.close())
  const reported: string[] = []
  const options = {
    source,
    sliceBytes: bytes.length,
    pauseControl: new PauseControl(),
    signal: undefined,
    onSent: () => {},
  }
  const listener = {
    onDisconnected: ({ message }: Error) => void reported.push(message),
    onReconnected: () => void reported.push('reconnected'),
  }
  const retry = { tries: 3, maxMs: 100, firstPauseMs: 5, maxPauseMs: 50 }
  assert.equal(await sendSlices({ ...options, ...listener, retry, upload: new TusUpload(url, fetch) }), bytes.length)
  assert.equal(server.md5, md5)
  assert.deepEqual(
    reported.map((line) => line.replace(/: .*/, '')),
    Array.from({ length: 4 }, () => ['the upload was interrupted', 'reconnected']).flat(),
  )
})

test('a refused slice throws and is not sent again', async (t) => {
  const error = { code: 'SYS.1007', description: 'invalid', details: 'too large', elaboration: null, cause: null }
  let slices = 0
  const { url } = await serve(t, (call, reply) => {
    if (call.method === 'HEAD') return void reply.writeHead(200, { 'upload-offset': 0 }).end()
    slices++
    call.once('data', () => void reply.writeHead(413).end(JSON.stringify({ success: false, error })))
  })
  const source = await fileSource(path, false)
  t.after(() => source.close())
  const options = {
    source,
    sliceBytes: bytes.length,
    pauseControl: new PauseControl(),
    signal: undefined,
    onSent: () => {},
  }
  const retry = { tries: 3, maxMs: 60_000, firstPauseMs: 5, maxPauseMs: 50 }
  const sending = sendSlices({ ...options, retry, upload: new TusUpload(url, fetch) })
  await assert.rejects(sending, (thrown) => thrown instanceof WharfError && thrown.status === 413)
  assert.equal(slices, 1)
})
