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
import { sendSlices } from './sending.ts'
import { Switch } from './switch.ts'
import { TusAddress } from './tus.ts'

/** More than the system keeps for a connection, so that whoever sends has to wait for whoever reads. */
const bytes = randomBytes(24 * 2 ** 20 + 17)
const md5 = hash('md5', bytes, 'hex')
const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-file-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'source')
writeFileSync(path, bytes)

async function serve(t: TestContext, answer: RequestListener) {
  const closed: Promise<void>[] = []
  const server = createServer(answer).on('connection', (socket: Socket) => {
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
const whole = (file: FileHandle) => ({ file, from: 0, bytes: bytes.length, onSent: () => {} })

/** Rests now and then, longer than it takes to read the next pieces of the file. */
async function md5Of(body: IncomingMessage): Promise<string> {
  const md5 = createHash('md5')
  for await (const chunk of body) {
    md5.update(chunk)
    if (randomInt(20) === 0) await delay(randomInt(10))
  }
  return md5.digest('hex')
}

/** As a file of a network may be read: fewer bytes than were asked for, and not at once. */
function trickling(file: FileHandle): FileHandle {
  const read = async (into: Uint8Array, at: number, length: number, position: number) => {
    if (randomInt(4) === 0) await delay(randomInt(5))
    return file.read(into, at, randomInt(1, length + 1), position)
  }
  return Object.assign(Object.create(file), { read }) as FileHandle
}

for (const [what, from] of Object.entries({ 'whole reads': (file: FileHandle) => file, 'short reads': trickling })) {
  test(`${what} arrive whole at a server that stalls`, async (t) => {
    const { url } = await serve(t, async (call, reply) => reply.end(await md5Of(call)))
    await using file = await open(path)
    const sent: number[] = []
    const piece = { ...whole(from(file)), onSent: (count: number) => sent.push(count) }
    assert.equal(await (await sendFile(url, request(), piece)).text(), md5)
    assert.equal(sent.at(-1), bytes.length)
    assert.deepEqual(
      sent,
      sent.toSorted((a, b) => a - b),
    )
  })
}

test('slices follow each other on one connection, with their length', async (t) => {
  const { url, closed } = await serve(t, async (call, reply) => {
    await md5Of(call)
    reply.writeHead(204, { 'x-length': call.headers['content-length'], 'set-cookie': ['a=1', 'b=2'] }).end()
  })
  await using file = await open(path)
  for (let turn = 0; turn < 3; turn++) {
    const { status, headers } = await sendFile(url, request(), { ...whole(file), bytes: 1_000_000 })
    assert.deepEqual([status, headers.get('x-length')], [204, '1000000'])
  }
  assert.equal(closed.length, 1)
})

for (const status of [302, 401, 409, 413, 503]) {
  test(`${status} is heard before all is sent, and ends the connection`, async (t) => {
    const heard = Promise.withResolvers<void>()
    let arrived = 0
    const { url, closed } = await serve(t, (call, reply) => {
      call
        .on('error', () => {})
        .once('data', () => {
          // nothing more is read until the answer is there
          call.pause()
          heard.promise.then(() => call.on('data', ({ length }) => (arrived += length)).resume())
          reply.writeHead(status, { 'retry-after': '7', location: '/elsewhere' }).end('{"error":null}')
        })
    })
    await using file = await open(path)
    const response = await sendFile(url, request(), whole(file))
    assert.deepEqual([response.status, await response.text()], [status, '{"error":null}'])
    assert.deepEqual([response.headers.get('retry-after'), response.headers.get('location')], ['7', '/elsewhere'])
    heard.resolve()
    await Promise.all(closed)
    assert.ok(arrived < bytes.length / 2, `${arrived} bytes came behind the answer`)
  })
}

test('an abort in the middle closes the connection and is told by its own reason', async (t) => {
  const begun = Promise.withResolvers<IncomingMessage>()
  const { url, closed } = await serve(t, (call) => {
    call.on('error', () => {}).once('data', () => begun.resolve(call.pause()))
  })
  await using file = await open(path)
  const stopping = new AbortController()
  const sending = sendFile(url, request(stopping.signal), whole(file))
  const call = await begun.promise
  const reason = new Error('enough')
  stopping.abort(reason)
  await assert.rejects(sending, reason)
  call.resume()
  await Promise.all(closed)
  await assert.rejects(sendFile(url, request(stopping.signal), whole(file)), reason)
})

test('a file that cannot be read is told as that, not as a fault of the network', async (t) => {
  const { url, closed } = await serve(t, (call) => void call.on('error', () => {}).resume())
  const file = await open(path)
  let reads = 0
  const read = (...given: Parameters<typeof file.read>) =>
    reads++ < 3 ? file.read(...given) : Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
  await assert.rejects(sendFile(url, request(), whole({ read } as FileHandle)), { code: 'EIO' })
  await file.close()
  await Promise.all(closed)
})

test('an address that nobody listens at, and an answer that breaks off, are told as fetch tells them', async (t) => {
  await using file = await open(path)
  await assert.rejects(sendFile('http://127.0.0.1:1/', request(), whole(file)), TypeError)
  const { url } = await serve(t, (call, reply) => {
    call.resume().once('end', () => {
      reply.writeHead(200, { 'content-length': 100 }).write('half')
      setImmediate(() => call.socket.destroy())
    })
  })
  await assert.rejects(sendFile(url, request(), { ...whole(file), bytes: 1000 }), TypeError)
})

/** Keeps what has come, as a Wharf server does, and closes the connection in the middle of some slices. */
class ClosingServer {
  readonly begun: number[] = []
  readonly #kept: Buffer[] = []
  #breaks = 4

  get offset(): number {
    return this.#kept.reduce((sum, { length }) => sum + length, 0)
  }

  get md5(): string {
    return hash('md5', Buffer.concat(this.#kept), 'hex')
  }

  readonly answer: RequestListener = (call, reply) => {
    const tell = (): void => void reply.writeHead(204, { 'upload-offset': this.offset }).end()
    if (call.method === 'HEAD') return tell()
    const from = this.offset
    assert.equal(Number(call.headers['upload-offset']), from)
    this.begun.push(from)
    call.on('error', () => {}).on('end', tell)
    call.on('data', (chunk: Buffer) => {
      if (call.socket.destroyed) return
      this.#kept.push(chunk)
      if (this.#breaks > 0 && this.offset - from > 1_000_000) {
        this.#breaks--
        call.socket.destroy()
      }
    })
  }
}

test('a server that closes the connection within a slice is gone on with from where it is', async (t) => {
  const server = new ClosingServer()
  const { url } = await serve(t, server.answer)
  const source = await fileSource(path, false)
  t.after(() => source.close())
  const work = { source, sliceBytes: 8 * 2 ** 20, sending: new Switch(), signal: undefined, onSent: () => {} }
  const retry = { tries: 3, maxMs: 60_000, firstPauseMs: 5, maxPauseMs: 50 }
  assert.equal(await sendSlices({ ...work, retry, address: new TusAddress(url, fetch) }), bytes.length)
  assert.equal(server.md5, md5)
  // four that were broken off, each behind the one before, and what was left in slices of 8 MiB
  assert.equal(server.begun.length, 7)
})

test('a cut is resumed although the slice took longer than the limit of retries, and reported once', async (t) => {
  const server = new ClosingServer()
  const { url } = await serve(t, (call, reply) => {
    if (call.method === 'HEAD') return server.answer(call, reply)
    setTimeout(() => server.answer(call, reply), 150)
  })
  const source = await fileSource(path, false)
  t.after(() => source.close())
  const reported: string[] = []
  const work = { source, sliceBytes: bytes.length, sending: new Switch(), signal: undefined, onSent: () => {} }
  const listener = {
    onDisconnected: ({ message }: Error) => void reported.push(message),
    onReconnected: () => void reported.push('back'),
  }
  const retry = { tries: 3, maxMs: 100, firstPauseMs: 5, maxPauseMs: 50 }
  assert.equal(await sendSlices({ ...work, ...listener, retry, address: new TusAddress(url, fetch) }), bytes.length)
  assert.equal(server.md5, md5)
  assert.deepEqual(
    reported.map((line) => line.replace(/: .*/, '')),
    Array.from({ length: 4 }, () => ['the upload was cut off', 'back']).flat(),
  )
})

test('a refusal within a slice is thrown as any refusal, and nothing is sent again', async (t) => {
  const error = { code: 'SYS.1007', description: 'invalid', details: 'too large', elaboration: null, cause: null }
  let slices = 0
  const { url } = await serve(t, (call, reply) => {
    if (call.method === 'HEAD') return void reply.writeHead(200, { 'upload-offset': 0 }).end()
    slices++
    call.once('data', () => void reply.writeHead(413).end(JSON.stringify({ success: false, error })))
  })
  const source = await fileSource(path, false)
  t.after(() => source.close())
  const work = { source, sliceBytes: bytes.length, sending: new Switch(), signal: undefined, onSent: () => {} }
  const retry = { tries: 3, maxMs: 60_000, firstPauseMs: 5, maxPauseMs: 50 }
  const sending = sendSlices({ ...work, retry, address: new TusAddress(url, fetch) })
  await assert.rejects(sending, (thrown) => thrown instanceof WharfError && thrown.status === 413)
  assert.equal(slices, 1)
})
