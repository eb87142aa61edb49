import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { Wharf } from '../wharf.ts'

const MiB = 2 ** 20
const sizeBytes = (process.env.TEST_LONG ? 1024 : 128) * MiB
const maxCuts = 20
/** What the buffers of a connection contain on a busy machine; a slice that is sent again has 64 MiB. */
const maxInFlightBytes = 4 * MiB

const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-connections-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret, hostUuid } = server.bootstrap

/** Every MiB is different, so that a swapped, lost or repeated one changes the digest. */
function makeFile(path: string): string {
  const block = randomBytes(MiB)
  const md5 = createHash('md5')
  const file = openSync(path, 'w')
  for (let number = 0; number < sizeBytes / MiB; number++) {
    block.writeUInt32BE(number, 12_345)
    md5.update(block)
    writeSync(file, block)
  }
  closeSync(file)
  return md5.digest('hex')
}

/** Closes the connection after each share of the bytes. */
class BreakingProxy {
  readonly #server: Server
  readonly #shareBytes: number
  passedBytes = 0
  cuts = 0

  constructor(to: URL, shareBytes: number) {
    this.#shareBytes = shareBytes
    this.#server = createServer((client) => {
      const upstream = connect(Number(to.port), to.hostname)
      const close = (): void => {
        client.destroy()
        upstream.destroy()
      }
      for (const socket of [client, upstream]) socket.on('error', close).on('close', close)
      upstream.pipe(client)
      client.on('data', (chunk: Buffer) => this.#pass(chunk, client, upstream, close))
      client.on('end', () => upstream.end())
    })
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
  }

  #pass(chunk: Buffer, client: Socket, upstream: Socket, close: () => void): void {
    this.passedBytes += chunk.length
    if (this.cuts < maxCuts && this.passedBytes > this.#shareBytes * (this.cuts + 1)) {
      this.cuts++
      close()
      return
    }
    if (upstream.write(chunk)) return
    client.pause()
    upstream.once('drain', () => client.resume())
  }
}

test(`${sizeBytes / MiB} MiB arrive complete over a connection that breaks ${maxCuts} times`, async () => {
  const source = join(folder, 'source')
  const md5 = makeFile(source)
  const proxy = new BreakingProxy(new URL(server.url), sizeBytes / (maxCuts + 1))
  const url = await proxy.listen()
  after(() => proxy.close())
  const wharf = new Wharf({ url, accessKey: { id, secret }, retry: { firstPauseMs: 10 } })
  const startedAt = performance.now()
  const upload = wharf.upload(source, { hostUuid, type: 'demo', installPath: join(folder, 'target') })
  const { status, md5sum, size } = await upload.done
  const seconds = (performance.now() - startedAt) / 1000
  assert.deepEqual([status, md5sum, size], ['Uploaded', md5, sizeBytes])
  assert.equal(proxy.cuts, maxCuts)
  // only bytes in flight are sent again
  assert.ok(proxy.passedBytes < sizeBytes + maxCuts * maxInFlightBytes, `${proxy.passedBytes} bytes for ${sizeBytes}`)
  console.log(
    `${(sizeBytes / MiB / seconds).toFixed(0)} MiB/s, ${(proxy.passedBytes / sizeBytes).toFixed(3)} times the bytes`,
  )
})
