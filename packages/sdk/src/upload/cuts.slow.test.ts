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
const sizeBytes = (process.env.TEST_LONG ? 1024 : 256) * MiB
const cuts = 20

const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-cuts-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret, hostUuid } = server.bootstrap

/** Every MiB differs from the others, so that none can be swapped, dropped or sent twice unnoticed. */
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

/** A connection to the server that is torn after each share of the bytes. */
class CuttingProxy {
  readonly #server: Server
  readonly #shareBytes: number
  passedBytes = 0
  cuts = 0

  constructor(to: URL, shareBytes: number) {
    this.#shareBytes = shareBytes
    this.#server = createServer((client) => {
      const upstream = connect(Number(to.port), to.hostname)
      const tear = (): void => {
        client.destroy()
        upstream.destroy()
      }
      for (const socket of [client, upstream]) socket.on('error', tear).on('close', tear)
      upstream.pipe(client)
      client.on('data', (chunk: Buffer) => this.#pass(chunk, client, upstream, tear))
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

  #pass(chunk: Buffer, client: Socket, upstream: Socket, tear: () => void): void {
    this.passedBytes += chunk.length
    if (this.cuts < cuts && this.passedBytes > this.#shareBytes * (this.cuts + 1)) {
      this.cuts++
      tear()
      return
    }
    if (upstream.write(chunk)) return
    client.pause()
    upstream.once('drain', () => client.resume())
  }
}

test(`${sizeBytes / MiB} MiB arrive whole over a connection that is cut ${cuts} times`, async () => {
  const source = join(folder, 'source')
  const md5 = makeFile(source)
  const proxy = new CuttingProxy(new URL(server.url), sizeBytes / (cuts + 1))
  const url = await proxy.listen()
  after(() => proxy.close())
  const wharf = new Wharf({ url, accessKey: { id, secret }, retry: { firstPauseMs: 10 } })
  const began = performance.now()
  const upload = wharf.upload(source, { hostUuid, type: 'demo', installPath: join(folder, 'target') })
  const { status, md5sum, size } = await upload.done
  const seconds = (performance.now() - began) / 1000
  assert.deepEqual([status, md5sum, size], ['Uploaded', md5, sizeBytes])
  assert.equal(proxy.cuts, cuts)
  // what had arrived before a cut is not sent again; what was on its way is lost
  assert.ok(proxy.passedBytes < sizeBytes * 1.2, `${proxy.passedBytes} bytes for ${sizeBytes}`)
  console.log(
    `${(sizeBytes / MiB / seconds).toFixed(0)} MiB/s, ${(proxy.passedBytes / sizeBytes).toFixed(3)} times the bytes`,
  )
})
