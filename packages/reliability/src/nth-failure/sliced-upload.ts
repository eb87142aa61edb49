import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, type PackageRecord, recordIn, tusOffset, tusPatch } from '@wharf/testkit'
import type { FaultFixture } from './fault-fixture.ts'

const md5 = (bytes: Buffer): string => hash('md5', bytes, 'hex')

/** A package that is sent to this node in two slices. */
export class SlicedUpload {
  readonly #fixture: FaultFixture
  readonly #folder: string
  readonly #bytes: Buffer
  #key: string = randomUUID()
  #opened: { readonly uuid: string; readonly url: string } | undefined

  constructor(fixture: FaultFixture, folder: string, bytes: Buffer) {
    this.#fixture = fixture
    this.#folder = folder
    this.#bytes = bytes
    mkdirSync(folder, { recursive: true })
  }

  /** Stops at the first failure and returns it. */
  async tryOnce(): Promise<Pick<Answer, 'status' | 'body' | 'text'> | undefined> {
    const opened = await this.#open()
    if (opened.status !== 200) return opened
    const half = Math.floor(this.#bytes.length / 2)
    return (await this.#send(0, half)) ?? (await this.#send(half)) ?? this.#fixture.waitForOutcome(this.#uuid)
  }

  /** Continues after a failure, without faults, from the stored offset. */
  async resume(): Promise<void> {
    if (this.#opened === undefined) assert.equal((await this.#open()).status, 200)
    const { status } = await this.#record()
    if (status === 'UploadFailed') {
      assert.deepEqual(readdirSync(this.#folder), [], 'a failed upload leaves nothing')
      assert.equal((await this.#fixture.remove(this.#uuid)).status, 200)
      this.#key = randomUUID()
      assert.equal((await this.#open()).status, 200)
    }
    const failure = await this.#send(await tusOffset(this.#opened?.url ?? ''))
    assert.equal(failure, undefined, failure?.text ?? '')
    const failed = await this.#fixture.waitForOutcome(this.#uuid)
    assert.equal(failed, undefined, failed?.text ?? '')
  }

  /** It is stored once as it was sent, and unpacked beside it. */
  async assertDone(): Promise<void> {
    const record = await this.#record()
    const sum = md5(this.#bytes)
    assert.deepEqual([record.status, record.md5sum, record.size], ['Uploaded', sum, this.#bytes.length])
    assert.equal(record.unzipInstallPath, `${this.#installPath}_${sum}`)
    assert.deepEqual(readdirSync(this.#folder).toSorted(), ['demo.tar.gz', `demo.tar.gz_${sum}`])
    assert.equal(md5(readFileSync(this.#installPath)), sum)
    assert.deepEqual(readdirSync(record.unzipInstallPath ?? '').toSorted(), ['filler', 'install.sh', 'wharf.json'])
  }

  async removeCompletely(): Promise<void> {
    assert.equal((await this.#fixture.remove(this.#uuid)).status, 200)
    assert.deepEqual(readdirSync(this.#folder), [])
  }

  async #open(): Promise<Answer> {
    const url = `upload://demo.tar.gz?size=${this.#bytes.length}`
    const params = { url, installPath: this.#installPath }
    const answer = await this.#fixture.upload(params, { 'idempotency-key': this.#key })
    if (answer.status !== 200) return answer
    const [tag = ''] = answer.body.systemTags as string[]
    this.#opened = { uuid: recordIn(answer).uuid, url: tag.replace(/^uploadUrl::/, '') }
    return answer
  }

  async #send(from: number, to?: number): Promise<Answer | undefined> {
    const answer = await tusPatch(this.#opened?.url ?? '', from, this.#bytes.subarray(from, to))
    return answer.status === 204 ? undefined : answer
  }

  get #installPath(): string {
    return join(this.#folder, 'demo.tar.gz')
  }

  get #uuid(): string {
    return this.#opened?.uuid ?? ''
  }

  #record(): Promise<PackageRecord> {
    return this.#fixture.get(this.#uuid)
  }
}
