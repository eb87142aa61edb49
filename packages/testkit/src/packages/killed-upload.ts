import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { tusPatch } from '../calls/tus-client.ts'
import { gzipped, installable } from './installable.ts'
import { type UploadKillPoint, uploadKillPoints } from './kill-points.ts'
import { recordIn } from './package-calls.ts'
import type { KillablePackages, PackagePlace } from './package-killable.ts'
import { StallingBytes } from './package-source-stalls.ts'
import { zipped } from './zipped.ts'

export interface KilledUploadCase {
  readonly form: 'tar.gz' | 'zip' | 'slices'
  readonly place: 'here' | 'there'
  /** Where it is when the server dies: a point on the host, or a share of the bytes. */
  readonly at: UploadKillPoint | number
}

const md5 = (bytes: Buffer): string => hash('md5', bytes, 'hex')
const hooks = { install: 'cat >/dev/null' }
const manifest = JSON.stringify({ name: 'demo', version: '1.0.0', type: 'demo', install: { run: ['./install.sh'] } })

let count = 0

/** An upload that stands where the server is to be killed, and what must have come of it afterwards. */
export class KilledUpload {
  readonly #world: KillablePackages
  readonly #place: PackagePlace
  readonly #filler = randomBytes(300_000)
  readonly #bytes: Buffer
  readonly #source: StallingBytes
  readonly #number = count++
  readonly #folder: string
  readonly #name: string
  #uuid = ''

  private constructor(world: KillablePackages, { form, place, at }: KilledUploadCase) {
    this.#world = world
    this.#place = world[place]
    const data = this.#filler
    this.#bytes =
      form === 'zip'
        ? zipped({ 'wharf.json': manifest, 'install.sh': `#!/bin/sh\n${hooks.install}\n`, filler: data })
        : gzipped(installable({ hooks, more: [{ name: 'filler', data }] }))
    this.#source = new StallingBytes(this.#bytes, typeof at === 'number' ? Math.floor(at * this.#bytes.length) : 0)
    this.#folder = `${this.#place.folder}/${this.#number}`
    this.#name = form === 'zip' ? 'demo.zip' : 'demo.tar.gz'
    if (typeof at !== 'number') this.#source.goOn()
  }

  get #installPath(): string {
    return `${this.#folder}/new/${this.#name}`
  }

  static async begin(world: KillablePackages, one: KilledUploadCase): Promise<KilledUpload> {
    const upload = new KilledUpload(world, one)
    const { at, form } = one
    await upload.#place.exec(`mkdir -p ${upload.#folder}`)
    if (typeof at === 'number') await upload.#fromAddress()
    else {
      const { when, words } = uploadKillPoints[at]
      await upload.#place.holds.add(when, words(upload.#installPath))
      await (form === 'slices' ? upload.#inSlices() : upload.#fromAddress())
    }
    return upload
  }

  async #fromAddress(): Promise<void> {
    const { source, admin } = this.#world
    const path = `${this.#number}/${this.#name}`
    const installPath = this.#installPath
    const url = source.serve(path, this.#source.serve)
    const params = { url, installPath, hostUuid: this.#place.hostUuid }
    const begun = await this.#world.upload(params, { prefer: 'respond-async' })
    assert.equal(begun.status, 202, begun.text)
    const { body } = await admin.get(`/v1/software-package?q=installPath=${installPath}`)
    this.#uuid = (body.inventories as { uuid: string }[])[0]?.uuid ?? ''
    if (!this.#source.stalls) return
    for (let turns = 0; !source.asked.includes(`/${path}`); turns++) {
      assert.ok(turns < 500, 'the source is not asked')
      await delay(20)
    }
    // and what it sends is on its way to the host
    await delay(200)
  }

  async #inSlices(): Promise<void> {
    const url = `upload://${this.#name}?size=${this.#bytes.length}`
    const begun = await this.#world.upload({ url, installPath: this.#installPath, hostUuid: this.#place.hostUuid })
    this.#uuid = recordIn(begun).uuid
    const [tag = ''] = begun.body.systemTags as string[]
    assert.equal((await tusPatch(tag.replace(/^uploadUrl::/, ''), 0, this.#bytes)).status, 204)
  }

  /** Cancelled, and now its way back stands still after the program with these words. */
  async cancelAndHold(words: string): Promise<void> {
    await this.#place.holds.add('after', [words, this.#folder])
    const [job] = await this.#world.jobsOf(this.#uuid)
    const answer = await this.#world.admin.delete(`/v1/api-jobs/${job?.uuid}`)
    assert.equal(answer.status, 200, answer.text)
  }

  /** What its source does when it is asked again. */
  get source(): StallingBytes {
    return this.#source
  }

  /** The file, what was unpacked of it, and nothing else. */
  async isThereOnce(): Promise<void> {
    const record = await this.#world.until(this.#uuid, ({ status }) => status !== 'Uploading')
    await this.#world.idle(this.#uuid)
    const unzipInstallPath = `${this.#installPath}_${md5(this.#bytes)}`
    assert.equal(record.status, 'Uploaded', await this.#world.logOf(this.#uuid))
    assert.equal(record.unzipInstallPath, unzipInstallPath)
    assert.deepEqual([record.md5sum, record.size], [md5(this.#bytes), this.#bytes.length])
    assert.deepEqual(
      (await this.#world.jobsOf(this.#uuid)).map(({ state }) => state),
      ['Succeeded'],
    )
    await this.#lists(['.', './new', `./new/${this.#name}`, `./new/${this.#name}_${md5(this.#bytes)}`])
    const sums = await this.#place.exec(`md5sum <${this.#installPath}; cd ${unzipInstallPath}; ls -A; md5sum <filler`)
    const expected = [`${md5(this.#bytes)}  -`, 'filler', 'install.sh', 'wharf.json', `${md5(this.#filler)}  -`]
    assert.deepEqual(sums.trim().split('\n'), expected)
  }

  /** The record says that it failed, and the host looks as before. */
  async hasFailed(code: string): Promise<void> {
    const record = await this.#world.until(this.#uuid, ({ status }) => status !== 'Uploading')
    await this.#world.idle(this.#uuid)
    const log = await this.#world.logOf(this.#uuid)
    assert.equal(record.status, 'UploadFailed', log)
    assert.match(log, new RegExp(`failed: ${code}`))
    await this.#lists(['.'])
  }

  /** What the killed server began ends by itself, so it may take a moment. */
  async #lists(expected: string[]): Promise<void> {
    const found = `cd ${this.#folder} && find . -maxdepth 2 | sort`
    for (let turns = 0; ; turns++) {
      const names = (await this.#place.exec(found)).trim().split('\n')
      if (names.join() === expected.join()) return
      if (turns > 40) assert.deepEqual(names, expected)
      await delay(100)
    }
  }
}
