import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { serverEnvironment, tusCut, tusOffset, tusPatch, tusStart, UploadServer } from '@wharf/testkit'
import fc from 'fast-check'

/** In batches of a few seconds: 12 sequences, 400 in `npm run test:long`. */
const batches = 4
const sequences = process.env.TEST_LONG ? 100 : 3
const KiB = 1024
/** Slices below, at and above the size of a buffer. */
const sliceBytes = fc.oneof(fc.integer({ min: 1, max: 64 * KiB }), fc.integer({ min: 1, max: 1500 * KiB }))
const sizes = fc.integer({ min: 1, max: 3000 * KiB })

/** The part of a slice, in thousandths, that is sent before the connection breaks. */
const part = fc.integer({ min: 0, max: 1000 })

/** The events of an upload, in order, before it is finished. */
const step = fc.oneof(
  fc.record({ what: fc.constant('slice' as const), bytes: sliceBytes, isChecked: fc.boolean() }),
  fc.record({
    what: fc.constant('cut' as const),
    bytes: sliceBytes,
    part,
    isChecked: fc.boolean(),
  }),
  fc.record({ what: fc.constant('repeat' as const), bytes: sliceBytes }),
  fc.record({
    what: fc.constant('wrong offset' as const),
    bytes: sliceBytes,
    by: fc.integer({ min: -5000, max: 5000 }).filter((by) => by !== 0),
  }),
  fc.record({ what: fc.constant('wrong checksum' as const), bytes: sliceBytes }),
  fc.record({
    what: fc.constant('two clients' as const),
    bytes: sliceBytes,
    part,
  }),
  fc.record({
    what: fc.constant('restart' as const),
    bytes: sliceBytes,
    part,
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const cleanups: (() => Promise<void>)[] = []
let environment: Record<string, string>
let server: UploadServer
before(async () => {
  environment = await serverEnvironment({ after: (work) => void cleanups.push(work) })
  server = await UploadServer.open(environment)
})
after(async () => {
  await server.close()
  for (const cleanup of cleanups) await cleanup()
})

const sha1 = (bytes: Buffer) => ({ 'upload-checksum': `sha1 ${createHash('sha1').update(bytes).digest('base64')}` })

/** Has the file, and reads the offset only from the server. */
class Sender {
  readonly #path: string
  readonly #bytes: Buffer
  offset = 0

  constructor(url: string, bytes: Buffer) {
    this.#path = url.replace(/^http:\/\/[^/]+/, '')
    this.#bytes = bytes
  }

  get #url(): string {
    return `http://127.0.0.1:${server.port}${this.#path}`
  }

  get isDone(): boolean {
    return this.offset === this.#bytes.length
  }

  async take(step: Step): Promise<void> {
    const { offset } = this
    const slice = this.#bytes.subarray(offset, offset + step.bytes)
    const checked = 'isChecked' in step && step.isChecked ? sha1(slice) : {}
    const part = 'part' in step ? slice.subarray(0, Math.floor((step.part * slice.length) / 1000)) : slice
    if (step.what === 'slice') {
      assert.equal((await tusPatch(this.#url, offset, slice, checked)).status, 204)
      await this.#readOffset(offset + slice.length, offset + slice.length)
    } else if (step.what === 'cut') {
      await tusCut(this.#url, offset, slice.length, part, checked)
      await this.#readOffset(offset, offset + part.length)
    } else if (step.what === 'repeat') {
      assert.equal((await tusPatch(this.#url, offset, slice)).status, 204)
      // again, as after a lost answer
      assert.equal((await tusPatch(this.#url, offset, slice)).status, 409)
      await this.#readOffset(offset + slice.length, offset + slice.length)
    } else if (step.what === 'wrong offset') {
      const wrong = Math.max(0, offset + step.by)
      const { status } = await tusPatch(this.#url, wrong === offset ? offset + 1 : wrong, slice)
      assert.equal(status, 409)
      await this.#readOffset(offset, offset)
    } else if (step.what === 'wrong checksum') {
      assert.equal((await tusPatch(this.#url, offset, slice, sha1(Buffer.from('other')))).status, 460)
      await this.#readOffset(offset, offset)
    } else if (step.what === 'two clients') {
      const silent = await tusStart(this.#url, offset, slice.length, part)
      const { status } = await tusPatch(this.#url, offset, slice)
      silent.destroy()
      assert.ok(status === 204 || status === 409)
      await this.#readOffset(offset, offset + slice.length)
    } else {
      const running = await tusStart(this.#url, offset, slice.length, part)
      await server.close()
      running.destroy()
      server = await UploadServer.open(environment)
      await this.#readOffset(offset, offset + part.length)
    }
  }

  /** A broken connection costs one slice at most: earlier bytes are never requested again. */
  async #readOffset(atLeast: number, atMost: number): Promise<void> {
    this.offset = await tusOffset(this.#url)
    assert.ok(this.offset >= atLeast && this.offset <= atMost, `${this.offset} is not in ${atLeast}–${atMost}`)
  }
}

/** Deterministic for a seed, and different at every offset. */
const fileOf = (seed: number, size: number): Buffer => {
  const block = createHash('sha512').update(String(seed)).digest()
  const bytes = Buffer.alloc(size, block)
  for (let at = 0; at + 4 <= size; at += 4096) bytes.writeUInt32LE(at, at)
  return bytes
}

async function tryOut(seed: number, size: number, steps: readonly Step[], isChecked: boolean): Promise<void> {
  const bytes = fileOf(seed, size)
  const { url, id } = await server.openUpload({ size })
  const sender = new Sender(url, bytes)
  for (const next of steps) {
    if (sender.isDone) break
    await sender.take(next)
  }
  for (let rest = 0; rest < 100 && !sender.isDone; rest++)
    await sender.take({ what: 'slice', bytes: 1024 * KiB, isChecked })
  await server.waitForState(id, 'Finished')
  assert.equal((await server.row(id))?.md5, createHash('md5').update(bytes).digest('hex'))
  assert.deepEqual(Object.keys(await server.notifications(id)), ['finished'])
  await server.uploads.removeSpool(id)
}

for (let batch = 1; batch <= batches; batch++)
  test(`random slices, cuts, repeats, errors, rivals and restarts end with the right MD5: batch ${batch}`, () =>
    fc.assert(fc.asyncProperty(fc.nat(), sizes, fc.array(step, { maxLength: 12 }), fc.boolean(), tryOut), {
      numRuns: sequences,
      endOnFailure: true,
    }))
