import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, installable, PackageFixture, type TestServerOptions } from '@wharf/testkit'

type Fields = Record<string, unknown>

export interface TestRollout extends Fields {
  readonly uuid: string
  readonly state: string
  readonly pauseReason: string | null
}

/** A server of any kind, and a folder for its hosts. */
export type FleetServer = Pick<PackageFixture, 'admin' | 'publish' | 'source' | 'folder'>

/** Hosts on this machine whose hooks record what happens to them, and a piece of software with releases. */
export class Fleet {
  readonly fixture: FleetServer
  readonly software: string
  readonly folder: string
  /** By name. */
  readonly hosts = new Map<string, string>()
  readonly releases = new Map<string, string>()

  private constructor(fixture: FleetServer, software: string) {
    this.fixture = fixture
    this.software = software
    this.folder = join(fixture.folder, software)
    mkdirSync(this.folder)
  }

  static start(
    t: { after(work: () => Promise<void>): void },
    options: TestServerOptions = {},
  ): Promise<PackageFixture> {
    const rolloutLimits = { pollMs: 50, gatherMs: 1, joinMs: 50 }
    return PackageFixture.start(t, { rolloutLimits, jobLimits: { undoRetryMs: [1] }, ...options })
  }

  /** `count` hosts that only this fleet has: web-1, web-2 … with the label fleet. */
  static async create(fixture: FleetServer, count: number, labels: (index: number) => Fields = () => ({})) {
    const fleet = new Fleet(fixture, `soft-${newUuid().slice(0, 8)}`)
    for (let index = 1; index <= count; index++) await fleet.addHost(`web-${index}`, labels(index))
    return fleet
  }

  get admin() {
    return this.fixture.admin
  }

  get selector(): string[] {
    return [`labels.fleet=${this.software}`]
  }

  async addHost(name: string, labels: Fields = {}): Promise<string> {
    mkdirSync(this.#folderOf(name), { recursive: true })
    const packagesPath = join(this.#folderOf(name), 'packages')
    const here = { driver: 'local', address: '127.0.0.1', username: 'root' }
    const all = { fleet: this.software, ...labels }
    const params = { name: `${this.software}-${name}`, ...here, packagesPath, labels: all }
    const added = await this.admin.post('/v1/hosts', { params })
    if (added.status !== 200) throw new Error(added.text)
    const { uuid } = added.body.inventory as { uuid: string }
    this.hosts.set(name, uuid)
    return uuid
  }

  #folderOf(name: string): string {
    return join(this.folder, 'hosts', name)
  }

  async changeState(name: string, stateEvent: 'enable' | 'disable'): Promise<void> {
    const answer = await this.admin.put(`/v1/hosts/${this.hosts.get(name)}/actions`, {
      changeHostState: { stateEvent },
    })
    if (answer.status !== 200) throw new Error(answer.text)
  }

  /** Publishes a version; its hooks write `installed` and append to `record` in the folder of their host. */
  async publish(version: string, more: { config?: object; upgrade?: boolean } = {}): Promise<string> {
    const start = `home=\${WHARF_PACKAGE_DIR%/*/*}; input=$(cat)`
    const note = (hook: string): string =>
      `${start}; printf '${hook} ${version} %s %s\\n' "$(date +%s%N)" "$input" >>"$home/record"`
    const hold = (hook: string): string =>
      `while [ -e "$home/hold-${hook}-${version}" ]; do sleep 0.05; done; test ! -e "$home/fail-${hook}-${version}"`
    const hooks = {
      install: `${note('install')}; ${hold('install')}; printf '%s %s' '${version}' "$input" >"$home/installed"`,
      uninstall: `${note('uninstall')}; ${hold('uninstall')}; rm -f "$home/installed"`,
      verify: `${start}; ${hold('verify')}; case $(cat "$home/installed") in ${version}*) ;; *) exit 1 ;; esac`,
      ...(more.upgrade
        ? { upgrade: `${note('upgrade')}; ${hold('upgrade')}; printf '%s %s' '${version}' "$input" >"$home/installed"` }
        : {}),
    }
    const archive = installable({ name: this.software, version, hooks, ...(more.config && { config: more.config }) })
    const { uuid } = await this.fixture.publish(this.fixture.source.serve(`${this.software}-${version}.tar`, archive))
    this.releases.set(version, uuid)
    return uuid
  }

  /** What the hooks of a host recorded: `install 1.0.0`. */
  record(name: string): string[] {
    const file = join(this.#folderOf(name), 'record')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map((line) => line.split(' ').slice(0, 2).join(' '))
  }

  /** The same without repetitions: a hook that a killed server interrupted runs again. */
  effects(name: string): string[] {
    return this.record(name).filter((line, index, lines) => line !== lines[index - 1])
  }

  /** When a host recorded `install 1.0.0`, in nanoseconds. */
  times(name: string, hook: string): number[] {
    const lines = readFileSync(join(this.#folderOf(name), 'record'), 'utf8')
      .trim()
      .split('\n')
    return lines.filter((line) => line.startsWith(`${hook} `)).map((line) => Number(line.split(' ')[2]))
  }

  /** The version and input that the host has now; undefined for none. */
  installed(name: string): string | undefined {
    const file = join(this.#folderOf(name), 'installed')
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }

  versions(): (string | undefined)[] {
    return [...this.hosts.keys()].map((name) => this.installed(name)?.split(' ')[0])
  }

  /** `install-1.1.0`: that hook fails, or with `hold` does not end. */
  set(name: string, kind: 'fail' | 'hold', what: string): void {
    writeFileSync(join(this.#folderOf(name), `${kind}-${what}`), '')
  }

  clear(name: string, kind: 'fail' | 'hold', what: string): void {
    rmSync(join(this.#folderOf(name), `${kind}-${what}`), { force: true })
  }

  post(version: string, fields: Fields = {}): Promise<Answer> {
    const { hostUuids, selector = hostUuids === undefined ? this.selector : undefined, ...rest } = fields
    const params = {
      name: `${this.software} ${version}`,
      releaseUuid: this.releases.get(version),
      soakSeconds: 0,
      retries: 0,
      ...rest,
      ...(selector ? { selector } : {}),
      ...(hostUuids ? { hostUuids } : {}),
    }
    return this.admin.post('/v1/rollouts', { params })
  }

  async create(version: string, fields: Fields = {}): Promise<string> {
    const answer = await this.post(version, fields)
    if (answer.status !== 200) throw new Error(answer.text)
    return (answer.body.inventory as TestRollout).uuid
  }

  act(uuid: string, action: string, fields: Fields = {}): Promise<Answer> {
    return this.admin.put(`/v1/rollouts/${uuid}/actions`, { [`${action}Rollout`]: fields })
  }

  async get(uuid: string): Promise<TestRollout> {
    const { body } = await this.admin.get(`/v1/rollouts/${uuid}`)
    return (body.inventories as [TestRollout])[0]
  }

  async targets(uuid: string): Promise<Fields[]> {
    const { body } = await this.admin.get(`/v1/rollouts/${uuid}/targets?sort=hostName`)
    return body.inventories as Fields[]
  }

  /** The states of the targets by the name of their host. */
  async states(uuid: string): Promise<string> {
    const targets = await this.targets(uuid)
    const short = (name: unknown): string => String(name).replace(`${this.software}-`, '')
    return targets.map(({ hostName, state }) => `${short(hostName)} ${state}`).join(', ')
  }

  async waves(uuid: string): Promise<string> {
    const { body } = await this.admin.get(`/v1/rollouts/${uuid}/waves`)
    return (body.inventories as Fields[]).map(({ size, state }) => `${size} ${state}`).join(', ')
  }

  /** Resolves when the rollout has this state, such as `Paused Failures`. */
  async until(uuid: string, state: string, withinMs = 20_000): Promise<TestRollout> {
    for (const deadline = performance.now() + withinMs; performance.now() < deadline; await delay(20)) {
      const rollout = await this.get(uuid)
      if ([rollout.state, `${rollout.state} ${rollout.pauseReason}`].includes(state)) return rollout
    }
    const targets = (await this.targets(uuid)).map(({ hostName, state: found, error }) => [hostName, found, error])
    throw new Error(`not ${state}: ${JSON.stringify(await this.get(uuid))} ${JSON.stringify(targets)}`)
  }
}
