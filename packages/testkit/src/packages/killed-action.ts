import assert from 'node:assert/strict'
import { gzipped, installable } from './installable.ts'
import type { KillablePackages, PackageHost } from './killable-packages.ts'
import { type PackageRecord, recordIn } from './package-calls.ts'

export interface KilledActionCase {
  readonly action: 'install' | 'uninstall' | 'delete'
  /** Where the package is before it is installed. */
  readonly from: 'host' | 'storage'
  readonly host: 'local' | 'remote'
  readonly when: 'before' | 'after'
  /** Texts in the command line of the program that is stopped meanwhile. */
  readonly patterns: readonly string[]
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

/** An action on a package, stopped at the point where the server is killed, and the checks of its result. */
export class KilledAction {
  readonly #fixture: KillablePackages
  readonly #host: PackageHost
  readonly #case: KilledActionCase
  readonly #folder: string
  #record: PackageRecord

  private constructor(fixture: KillablePackages, one: KilledActionCase, folder: string, record: PackageRecord) {
    this.#fixture = fixture
    this.#case = one
    this.#host = fixture[one.host]
    this.#folder = folder
    this.#record = record
  }

  static async start(fixture: KillablePackages, one: KilledActionCase): Promise<KilledAction> {
    const { action, from, host, when, patterns } = one
    const { folder: root, hostUuid, breakpoints, exec } = fixture[host]
    const number = count++
    const folder = `${root}/actions/${number}`
    await exec(`mkdir -p ${folder}`)
    const url = fixture.source.serve('action.tar.gz', bytes)
    const uploaded =
      from === 'host'
        ? await fixture.upload({ url, hostUuid, installPath: `${folder}/demo.tar.gz` })
        : await fixture.toStorage({ url, installPath: `actions/${number}.tar.gz` })
    assert.equal(uploaded.status, 200, uploaded.text)
    const started = new KilledAction(fixture, one, folder, recordIn(uploaded))
    if (action === 'uninstall') assert.equal((await started.#install()).status, 200)
    started.#record = await fixture.get(started.#record.uuid)
    breakpoints.add(when, [...patterns, from === 'host' ? folder : started.#record.uuid])
    assert.equal((await started.#act()).status, 202)
    return started
  }

  #install(headers: Record<string, string> = {}) {
    return this.#fixture.install(this.#record.uuid, { hostUuid: this.#host.hostUuid }, headers)
  }

  #act() {
    const async = { prefer: 'respond-async' }
    const { uuid } = this.#record
    if (this.#case.action === 'install') return this.#install(async)
    return this.#case.action === 'uninstall' ? this.#fixture.uninstall(uuid, async) : this.#fixture.remove(uuid, async)
  }

  /** It succeeded once, as if the server had not been killed. */
  async assertDoneOnce(): Promise<void> {
    const { action, from } = this.#case
    const { uuid } = this.#record
    await this.#fixture.waitUntilIdle(uuid)
    const log = await this.#fixture.logOf(uuid)
    assert.ok(
      (await this.#fixture.jobsOf(uuid)).every(({ state }) => state === 'Succeeded'),
      log,
    )
    const home = await this.#fixture.homeOn(this.#host.hostUuid, uuid)
    const found = await this.#host.exec(`cd ${this.#folder}; find . -mindepth 1 | sort; find ${home} | sort; true`)
    const names = found.trim().split('\n').filter(Boolean)
    if (action === 'delete') {
      assert.equal((await this.#fixture.admin.get(`/v1/software-package/${uuid}`)).status, 404)
      assert.deepEqual(names, [])
      return
    }
    const record = await this.#fixture.get(uuid)
    assert.equal(record.status, allDone[action], log)
    const parts = ['', '/install.sh', '/installed', '/log', '/uninstall.sh', '/verify.sh', '/wharf.json']
    const inside = action === 'install' ? parts : parts.filter((name) => name !== '/installed')
    const unpacked = `./demo.tar.gz_${this.#record.md5sum}`
    const onHost = ['./demo.tar.gz', ...inside.map((name) => unpacked + name)]
    const fromStorage = action === 'install' ? [home, ...inside.map((name) => `${home}/unpacked${name}`)] : []
    assert.deepEqual(names, from === 'host' ? onHost : fromStorage)
    if (action === 'install') assert.equal(recordIn(await this.#fixture.uninstall(uuid)).status, 'Uploaded')
  }
}
