import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { hostsNeedRoot, installable, KillablePackages, recordIn, reverseCleanup } from '@wharf/testkit'

type Version = 0 | 1 | 2

interface Case {
  readonly action: 'upgrade' | 'rollback'
  /** Whether the new version has an `upgrade` hook. */
  readonly hasHook?: boolean
  /** The verify hook of the version that is installed fails, so the other one is restored. */
  readonly fails?: boolean
  /** Two versions exist before, of which the upgrade removes the older. */
  readonly hasOlder?: boolean
  readonly when: 'before' | 'after'
  /** A text in the command line of the program that is stopped when the server is killed, and the version that it is of. */
  readonly at: string
  readonly of: Version
}

const rows: Case[] = [
  { action: 'upgrade', when: 'before', at: './uninstall.sh', of: 1 },
  { action: 'upgrade', when: 'before', at: '/usr/bin/link', of: 2 },
  { action: 'upgrade', when: 'after', at: 'tar --extract', of: 2 },
  { action: 'upgrade', when: 'before', at: './install.sh', of: 2, fails: true },
  { action: 'upgrade', when: 'after', at: './uninstall.sh', of: 1 },
  { action: 'upgrade', when: 'before', at: './install.sh', of: 2 },
  { action: 'upgrade', hasHook: true, when: 'before', at: './upgrade.sh', of: 2 },
  { action: 'upgrade', when: 'after', at: './install.sh', of: 2 },
  { action: 'upgrade', when: 'before', at: './verify.sh', of: 2 },
  { action: 'upgrade', when: 'before', at: './install.sh', of: 1, fails: true },
  { action: 'upgrade', when: 'after', at: './verify.sh', of: 2 },
  { action: 'upgrade', hasHook: true, when: 'after', at: './upgrade.sh', of: 2 },
  { action: 'upgrade', hasHook: true, when: 'before', at: './uninstall.sh', of: 2, fails: true },
  { action: 'upgrade', when: 'before', at: './uninstall.sh', of: 2, fails: true },
  { action: 'upgrade', when: 'after', at: './install.sh', of: 1, fails: true },
  { action: 'rollback', when: 'before', at: './install.sh', of: 1 },
  { action: 'upgrade', when: 'after', at: './uninstall.sh', of: 2, fails: true },
  { action: 'upgrade', when: 'before', at: './verify.sh', of: 1, fails: true },
  { action: 'rollback', when: 'before', at: './install.sh', of: 2, fails: true },
  { action: 'upgrade', hasHook: true, when: 'before', at: './install.sh', of: 1, fails: true },
  { action: 'upgrade', when: 'after', at: 'rm -f -- "$1".*.part', of: 2, fails: true },
  { action: 'rollback', when: 'after', at: './uninstall.sh', of: 2 },
  { action: 'rollback', when: 'before', at: './uninstall.sh', of: 2 },
  { action: 'rollback', when: 'after', at: './install.sh', of: 1 },
  { action: 'rollback', when: 'before', at: './verify.sh', of: 1 },
  { action: 'rollback', when: 'before', at: './uninstall.sh', of: 1, fails: true },
  { action: 'rollback', when: 'after', at: './install.sh', of: 2, fails: true },
  { action: 'upgrade', hasOlder: true, when: 'after', at: 'rm -rf "$1"', of: 0 },
  { action: 'upgrade', hasOlder: true, when: 'before', at: 'rm -rf "$1"', of: 0 },
  { action: 'upgrade', when: 'before', at: 'missing=', of: 2 },
  { action: 'upgrade', when: 'before', at: 'wharf-publish', of: 2 },
  { action: 'upgrade', when: 'after', at: 'wharf-publish', of: 2 },
]

const versions = { 0: '0.9.0', 1: '1.0.0', 2: '2.0.0' }
const configs = { 0: { greeting: 'none' }, 1: { greeting: 'first' }, 2: { greeting: 'second' } }
/** What the hooks of a version record on the host. */
const lines = {
  install: (of: Version) => `install ${versions[of]} {"config":${JSON.stringify(configs[of])}}`,
  uninstall: (of: Version) => `uninstall ${versions[of]} {}`,
  upgrade: (folder: string) =>
    `upgrade 2.0.0 ${JSON.stringify({ config: configs[2], from: { version: '1.0.0', packageDir: folder, config: configs[1] } })}`,
}

let count = 0

/** An upgrade or a rollback that is stopped where the server is killed. */
class KilledReplacement {
  readonly #fixture: KillablePackages
  readonly #case: Case
  readonly #folder: string
  readonly #number: number
  #current = ''
  #base: string[] = []
  #fromFolder = ''

  constructor(fixture: KillablePackages, one: Case) {
    this.#fixture = fixture
    this.#case = one
    this.#number = count++
    this.#folder = `${fixture.remote.folder}/upgrades/${this.#number}`
  }

  #package(version: Version): Buffer {
    const note = (hook: string): string =>
      `printf '${hook} ${versions[version]} %s\\n' "$(cat)" >>${this.#folder}/record`
    const hooks = { install: note('install'), uninstall: note('uninstall') }
    const verify = `test ! -e ${this.#folder}/fail-${versions[version]}`
    const upgrade = version === 2 && this.#case.hasHook ? { upgrade: note('upgrade') } : {}
    const name = `demo-${this.#number}`
    return installable({ name, version: versions[version], hooks: { ...hooks, verify, ...upgrade } })
  }

  async start(): Promise<void> {
    const { action, fails = false, when, at, of, hasOlder = false } = this.#case
    const { source, remote } = this.#fixture
    await remote.exec(`mkdir -p ${this.#folder}`)
    const serve = (version: Version) => source.serve(`${this.#number}-${version}.tar`, this.#package(version))
    const first = hasOlder ? 0 : 1
    const target = { hostUuid: remote.hostUuid, installPath: `${this.#folder}/${versions[first]}.tar` }
    const uploaded = await this.#fixture.upload({ url: serve(first), ...target })
    assert.equal(uploaded.status, 200, uploaded.text)
    this.#current = recordIn(uploaded).uuid
    this.#fromFolder = recordIn(uploaded).unzipInstallPath ?? ''
    assert.equal((await this.#fixture.install(this.#current, configs[first])).status, 200)
    if (hasOlder) {
      const { uuid } = await this.#fixture.publish(serve(1))
      const fields = { releaseUuid: uuid, config: configs[1] }
      const upgraded = await this.#fixture.act(this.#current, 'upgradeSoftwarePackage', fields)
      assert.equal(upgraded.status, 200, upgraded.text)
      this.#current = recordIn(upgraded).uuid
    }
    const { uuid: releaseUuid } = await this.#fixture.publish(serve(2))
    const upgrade = { releaseUuid, config: configs[2] }
    if (action === 'rollback') {
      const upgraded = await this.#fixture.act(this.#current, 'upgradeSoftwarePackage', upgrade)
      assert.equal(upgraded.status, 200, upgraded.text)
      this.#current = recordIn(upgraded).uuid
    }
    this.#base = await this.#record()
    const installed = action === 'upgrade' ? 2 : 1
    if (fails) await remote.exec(`touch ${this.#folder}/fail-${versions[installed]}`)
    remote.breakpoints.add(when, [at, `${this.#folder}/`, versions[of]])
    const async = { prefer: 'respond-async' }
    const started =
      action === 'upgrade'
        ? await this.#fixture.act(this.#current, 'upgradeSoftwarePackage', upgrade, async)
        : await this.#fixture.act(this.#current, 'rollBackSoftwarePackage', {}, async)
    assert.equal(started.status, 202, started.text)
  }

  async #record(): Promise<string[]> {
    const text = await this.#fixture.remote.exec(`cat ${this.#folder}/record`)
    return text.trim().split('\n')
  }

  get #expected(): string[] {
    const { action, fails = false, hasHook = false } = this.#case
    const { install, uninstall, upgrade } = lines
    if (action === 'rollback')
      return fails ? [uninstall(2), install(1), uninstall(1), install(2)] : [uninstall(2), install(1)]
    const replaced = hasHook ? [upgrade(this.#fromFolder)] : [uninstall(1), install(2)]
    return fails ? [...replaced, uninstall(2), install(1)] : replaced
  }

  /** By the record of the host: every hook has run once, one that was interrupted perhaps once more. */
  async assertReplacedOnce(): Promise<void> {
    const { action, fails = false, when } = this.#case
    await this.#fixture.waitUntilIdle(this.#current)
    const log = await this.#fixture.logOf(this.#current)
    const found = (await this.#record()).slice(this.#base.length)
    const distinct = when === 'after' ? found.filter((line, index) => line !== found[index - 1]) : found
    assert.deepEqual(distinct, this.#expected, log)
    assert.ok(found.length <= this.#expected.length + 1, log)
    const { body } = await this.#fixture.admin.get(`/v1/software-package?q=hostUuid=${this.#fixture.remote.hostUuid}`)
    const ours = (body.inventories as { installPath: string; status: string; health: string; version: string }[])
      .filter(({ installPath }) => installPath.startsWith(`${this.#folder}/`))
      .map(({ version, status, health }) => `${version} ${status} ${health}`)
      .sort()
    const isSecond = (action === 'upgrade') !== fails
    const kept = action === 'upgrade' && fails ? [] : [`${versions[isSecond ? 1 : 2]} Uploaded null`]
    assert.deepEqual(ours, [...kept, `${versions[isSecond ? 2 : 1]} Installed Healthy`].sort(), log)
    const jobs = await this.#fixture.jobsOf(this.#current)
    assert.equal(jobs.filter(({ state }) => state === 'Failed').length, fails ? 1 : 0, log)
    const files = await this.#fixture.remote.exec(`ls ${this.#folder} | grep -c -e part -e unpacking || true`)
    assert.equal(files.trim(), '0')
  }
}

suite('after kill -9 of the server', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let fixture: KillablePackages
  before(async () => {
    fixture = await KillablePackages.start(cleanup)
  })

  test('an upgrade or a rollback has one effect, or restores what was installed', async (t) => {
    const cases = rows.map((one) => ({ one, replacement: new KilledReplacement(fixture, one) }))
    await Promise.all(cases.map(({ replacement }) => replacement.start()))
    await fixture.killAndStart()
    for (const { one, replacement } of cases)
      await t.test(
        `${one.action}${one.hasHook ? ' with a hook' : ''}${one.fails ? ' that fails' : ''}, ${one.when} ${one.at} of ${versions[one.of]}`,
        () => replacement.assertReplacedOnce(),
      )
    assert.deepEqual(fixture.spooled, [])
  })
})
