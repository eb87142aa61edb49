import assert from 'node:assert/strict'
import { gzipped, installable } from './installable.ts'
import { type PackageRecord, recordIn } from './package-calls.ts'
import type { KillablePackages, PackagePlace } from './package-killable.ts'

export interface KilledActionCase {
  readonly action: 'install' | 'uninstall' | 'delete'
  /** Where the package lies before it is installed. */
  readonly from: 'host' | 'storage'
  readonly place: 'here' | 'there'
  readonly when: 'before' | 'after'
  /** Texts in the words of the program that stands still meanwhile. */
  readonly words: readonly string[]
}

const bytes = gzipped(
  installable({
    hooks: {
      install: 'cat >/dev/null; echo installed >>log; touch installed',
      verify: 'test -e installed; echo verified >>log',
      uninstall: 'rm -f installed',
    },
  }),
)
const allDone = { install: 'Installed', uninstall: 'Uploaded' }

let count = 0

/** Something done to a package that stands where the server is to be killed, and what must have come of it. */
export class KilledAction {
  readonly #world: KillablePackages
  readonly #place: PackagePlace
  readonly #case: KilledActionCase
  readonly #folder: string
  #record: PackageRecord

  private constructor(world: KillablePackages, one: KilledActionCase, folder: string, record: PackageRecord) {
    this.#world = world
    this.#case = one
    this.#place = world[one.place]
    this.#folder = folder
    this.#record = record
  }

  static async begin(world: KillablePackages, one: KilledActionCase): Promise<KilledAction> {
    const { action, from, place, when, words } = one
    const { folder: root, hostUuid, holds, exec } = world[place]
    const number = count++
    const folder = `${root}/actions/${number}`
    await exec(`mkdir -p ${folder}`)
    const url = world.source.serve('action.tar.gz', bytes)
    const uploaded =
      from === 'host'
        ? await world.upload({ url, hostUuid, installPath: `${folder}/demo.tar.gz` })
        : await world.toStorage({ url, installPath: `actions/${number}.tar.gz` })
    assert.equal(uploaded.status, 200, uploaded.text)
    const begun = new KilledAction(world, one, folder, recordIn(uploaded))
    if (action === 'uninstall') assert.equal((await begun.#install()).status, 200)
    begun.#record = await world.get(begun.#record.uuid)
    await holds.add(when, [...words, from === 'host' ? folder : begun.#record.uuid])
    assert.equal((await begun.#act()).status, 202)
    return begun
  }

  #install(headers: Record<string, string> = {}) {
    return this.#world.install(this.#record.uuid, { hostUuid: this.#place.hostUuid }, headers)
  }

  #act() {
    const async = { prefer: 'respond-async' }
    const { uuid } = this.#record
    if (this.#case.action === 'install') return this.#install(async)
    return this.#case.action === 'uninstall' ? this.#world.uninstall(uuid, async) : this.#world.remove(uuid, async)
  }

  /** It has come to one good end, as if nothing had happened. */
  async isDoneOnce(): Promise<void> {
    const { action, from } = this.#case
    const { uuid } = this.#record
    await this.#world.idle(uuid)
    const log = await this.#world.logOf(uuid)
    assert.ok(
      (await this.#world.jobsOf(uuid)).every(({ state }) => state === 'Succeeded'),
      log,
    )
    const home = await this.#world.homeOn(this.#place.hostUuid, uuid)
    const found = await this.#place.exec(`cd ${this.#folder}; find . -mindepth 1 | sort; find ${home} | sort; true`)
    const names = found.trim().split('\n').filter(Boolean)
    if (action === 'delete') {
      assert.equal((await this.#world.admin.get(`/v1/software-package/${uuid}`)).status, 404)
      assert.deepEqual(names, [])
      return
    }
    const record = await this.#world.get(uuid)
    assert.equal(record.status, allDone[action], log)
    const parts = ['', '/install.sh', '/installed', '/log', '/uninstall.sh', '/verify.sh', '/wharf.json']
    const inside = action === 'install' ? parts : parts.filter((name) => name !== '/installed')
    const unpacked = `./demo.tar.gz_${this.#record.md5sum}`
    const onHost = ['./demo.tar.gz', ...inside.map((name) => unpacked + name)]
    const fromStorage = action === 'install' ? [home, ...inside.map((name) => `${home}/unpacked${name}`)] : []
    assert.deepEqual(names, from === 'host' ? onHost : fromStorage)
    if (action === 'install') assert.equal(recordIn(await this.#world.uninstall(uuid)).status, 'Uploaded')
  }
}
