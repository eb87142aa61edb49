import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { tusPatch } from '../calls/tus-client.ts'
import { gzipped, installable } from './installable.ts'
import { type UploadKillPoint, uploadKillPoints } from './kill-points.ts'
import type { KillablePackages, PackageHost } from './killable-packages.ts'
import { recordIn } from './package-calls.ts'
import { StallingBytes } from './stalling-bytes.ts'
import { zipped } from './zipped.ts'

export interface KilledUploadCase {
  readonly form: 'tar.gz' | 'zip' | 'slices'
  readonly host: 'local' | 'remote'
  /** Where it is when the server is killed: a point on the host, or a fraction of the bytes. */
  readonly at: UploadKillPoint | number
}

const md5 = (bytes: Buffer): string => hash('md5', bytes, 'hex')
const hooks = { install: 'cat >/dev/null' }
const manifest = JSON.stringify({ name: 'demo', version: '1.0.0', type: 'demo', install: { run: ['./install.sh'] } })

let count = 0

/** An upload, stopped at the point where the server is killed, and the checks of its result. */
export class KilledUpload {
  readonly #fixture: KillablePackages
  readonly #host: PackageHost
  readonly #filler = randomBytes(300_000)
  readonly #bytes: Buffer
  readonly #source: StallingBytes
  readonly #number = count++
  readonly #folder: string
  readonly #name: string
  #uuid = ''

  private constructor(fixture: KillablePackages, { form, host, at }: KilledUploadCase) {
    this.#fixture = fixture
    this.#host = fixture[host]
    const data = this.#filler
    this.#bytes =
      form === 'zip'
        ? zipped({ 'wharf.json': manifest, 'install.sh': `#!/bin/sh\n${hooks.install}\n`, filler: data })
        : gzipped(installable({ hooks, more: [{ name: 'filler', data }] }))
    this.#source = new StallingBytes(this.#bytes, typeof at === 'number' ? Math.floor(at * this.#bytes.length) : 0)
    this.#folder = `${this.#host.folder}/${this.#number}`
    this.#name = form === 'zip' ? 'demo.zip' : 'demo.tar.gz'
    if (typeof at !== 'number') this.#source.resume()
  }

  get #installPath(): string {
    return `${this.#folder}/new/${this.#name}`
  }

  static async start(fixture: KillablePackages, one: KilledUploadCase): Promise<KilledUpload> {
    const upload = new KilledUpload(fixture, one)
    const { at, form } = one
    await upload.#host.exec(`mkdir -p ${upload.#folder}`)
    if (typeof at === 'number') await upload.#fromAddress()
    else {
      const { when, patterns } = uploadKillPoints[at]
      upload.#host.breakpoints.add(when, patterns(upload.#installPath))
      await (form === 'slices' ? upload.#inSlices() : upload.#fromAddress())
    }
    return upload
  }

  async #fromAddress(): Promise<void> {
    const { source, admin } = this.#fixture
    const path = `${this.#number}/${this.#name}`
    const installPath = this.#installPath
    const url = source.serve(path, this.#source.serve)
    const params = { url, installPath, hostUuid: this.#host.hostUuid }
    const started = await this.#fixture.upload(params, { prefer: 'respond-async' })
    assert.equal(started.status, 202, started.text)
    const { body } = await admin.get(`/v1/software-package?q=installPath=${installPath}`)
    this.#uuid = (body.inventories as { uuid: string }[])[0]?.uuid ?? ''
    if (!this.#source.isStalled) return
    for (let attempt = 0; !source.requestedPaths.includes(`/${path}`); attempt++) {
      assert.ok(attempt < 500, 'the source received no request')
      await delay(20)
    }
    // give its bytes time to reach the host
    await delay(200)
  }

  async #inSlices(): Promise<void> {
    const url = `upload://${this.#name}?size=${this.#bytes.length}`
    const started = await this.#fixture.upload({ url, installPath: this.#installPath, hostUuid: this.#host.hostUuid })
    this.#uuid = recordIn(started).uuid
    const [tag = ''] = started.body.systemTags as string[]
    assert.equal((await tusPatch(tag.replace(/^uploadUrl::/, ''), 0, this.#bytes)).status, 204)
  }

  /** Cancels it, and stops its undo after the program with this command line. */
  async cancelAndHold(patterns: string): Promise<void> {
    this.#host.breakpoints.add('after', [patterns, this.#folder])
    const [job] = await this.#fixture.jobsOf(this.#uuid)
    const answer = await this.#fixture.admin.delete(`/v1/api-jobs/${job?.uuid}`)
    assert.equal(answer.status, 200, answer.text)
  }

  /** Its source, to change how it answers the next request. */
  get source(): StallingBytes {
    return this.#source
  }

  /** The file, what was unpacked of it, and nothing else. */
  async assertStoredOnce(): Promise<void> {
    const record = await this.#fixture.waitUntil(this.#uuid, ({ status }) => status !== 'Uploading')
    await this.#fixture.waitUntilIdle(this.#uuid)
    const unzipInstallPath = `${this.#installPath}_${md5(this.#bytes)}`
    assert.equal(record.status, 'Uploaded', await this.#fixture.logOf(this.#uuid))
    assert.equal(record.unzipInstallPath, unzipInstallPath)
    assert.deepEqual([record.md5sum, record.size], [md5(this.#bytes), this.#bytes.length])
    assert.deepEqual(
      (await this.#fixture.jobsOf(this.#uuid)).map(({ state }) => state),
      ['Succeeded'],
    )
    await this.#waitForListing(['.', './new', `./new/${this.#name}`, `./new/${this.#name}_${md5(this.#bytes)}`])
    const sums = await this.#host.exec(`md5sum <${this.#installPath}; cd ${unzipInstallPath}; ls -A; md5sum <filler`)
    const expected = [`${md5(this.#bytes)}  -`, 'filler', 'install.sh', 'wharf.json', `${md5(this.#filler)}  -`]
    assert.deepEqual(sums.trim().split('\n'), expected)
  }

  /** The record is failed, and the host is unchanged. */
  async assertFailed(code: string): Promise<void> {
    const record = await this.#fixture.waitUntil(this.#uuid, ({ status }) => status !== 'Uploading')
    await this.#fixture.waitUntilIdle(this.#uuid)
    const log = await this.#fixture.logOf(this.#uuid)
    assert.equal(record.status, 'UploadFailed', log)
    assert.match(log, new RegExp(`failed: ${code}`))
    await this.#waitForListing(['.'])
  }

  /** Programs of the killed server end on their own, so this polls. */
  async #waitForListing(expected: string[]): Promise<void> {
    const found = `cd ${this.#folder} && find . -maxdepth 2 | sort`
    for (let attempt = 0; ; attempt++) {
      const names = (await this.#host.exec(found)).trim().split('\n')
      if (names.join() === expected.join()) return
      if (attempt > 40) assert.deepEqual(names, expected)
      await delay(100)
    }
  }
}
