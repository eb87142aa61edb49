import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, installable, PackageFixture, type TestHost, type TestServerOptions } from '@wharf/testkit'

type Fields = Record<string, unknown>

export interface TestRollout extends Fields {
  readonly uuid: string
  readonly state: string
  readonly pauseReason: string | null
}

/** A server of any kind, and a folder for its hosts. */
export interface FleetServer extends Pick<PackageFixture, 'admin' | 'publish' | 'source' | 'folder'> {
  /** With sshd, for its hosts in turn; absent: hosts on this machine. */
  readonly machines?: readonly TestHost[]
  /** For its releases; absent: the first one. */
  readonly backupStorageUuid?: string
}

interface ReleaseOptions {
  /** The schema of its configuration. */
  readonly config?: object
  /** It has an upgrade hook. */
  readonly upgrade?: boolean
  /** How long each hook but verify takes at least. */
  readonly hookSeconds?: number
}

/** What a hook of a host recorded, at its start and at its end. */
interface RecordedLine {
  readonly kind: 'start' | 'end'
  /** `install 1.0.0` */
  readonly hook: string
  readonly pid: string
  readonly atNs: bigint
}

/** Hosts whose hooks record what happens to them, and a piece of software with releases. */
export class Fleet {
  readonly fixture: FleetServer
  readonly software: string
  readonly folder: string
  /** By name. */
  readonly hosts = new Map<string, string>()
  readonly releases = new Map<string, string>()
  readonly #folders = new Map<string, string>()

  private constructor(fixture: FleetServer, software: string) {
    this.fixture = fixture
    this.software = software
    this.folder = join(fixture.folder, software)
  }

  static start(
    t: { after(work: () => Promise<void>): void },
    options: TestServerOptions = {},
  ): Promise<PackageFixture> {
    const rolloutLimits = { pollMs: 200, gatherMs: 1, joinMs: 200 }
    return PackageFixture.start(t, { rolloutLimits, jobLimits: { undoRetryMs: [1] }, ...options })
  }

  /** `count` hosts that only this fleet has: web-1, web-2 … with the label fleet. */
  static async create(fixture: FleetServer, count: number, labels: (index: number) => Fields = () => ({})) {
    const fleet = new Fleet(fixture, `soft-${newUuid().slice(0, 8)}`)
    const numbers = [...Array(count).keys()].map((index) => index + 1)
    await Promise.all(numbers.map((number) => fleet.addHost(`web-${number}`, labels(number))))
    return fleet
  }

  get admin() {
    return this.fixture.admin
  }

  get selector(): string[] {
    return [`labels.fleet=${this.software}`]
  }

  async addHost(name: string, labels: Fields = {}): Promise<string> {
    const { machines = [] } = this.fixture
    const machine = machines[this.hosts.size % machines.length]
    // names keep their order when several are added at once
    this.hosts.set(name, '')
    const folder = join(this.folder, 'hosts', name)
    this.#folders.set(name, join(machine?.rootHere ?? '', folder))
    mkdirSync(this.#folderOf(name), { recursive: true })
    const all = { fleet: this.software, ...labels }
    const packagesPath = join(folder, 'packages')
    const params = { name: `${this.software}-${name}`, ...connectionOf(machine), packagesPath, labels: all }
    const added = await this.admin.post('/v1/hosts', { params })
    if (added.status !== 200) throw new Error(added.text)
    const { uuid } = added.body.inventory as { uuid: string }
    this.hosts.set(name, uuid)
    return uuid
  }

  /** As this machine sees it. */
  #folderOf(name: string): string {
    return this.#folders.get(name) ?? ''
  }

  async changeState(name: string, stateEvent: 'enable' | 'disable'): Promise<void> {
    const answer = await this.admin.put(`/v1/hosts/${this.hosts.get(name)}/actions`, {
      changeHostState: { stateEvent },
    })
    if (answer.status !== 200) throw new Error(answer.text)
  }

  /** Publishes a version; its hooks write `installed` and append to `record` in the folder of their host. */
  async publish(version: string, { config, upgrade = false, hookSeconds = 0 }: ReleaseOptions = {}): Promise<string> {
    const { source, backupStorageUuid } = this.fixture
    const start = `home=\${WHARF_PACKAGE_DIR%/*/*}; input=$(cat)`
    const note = (kind: RecordedLine['kind'], hook: string): string =>
      `printf '${kind} ${hook} ${version} %s %s\\n' $$ "$(date +%s%N)" >>"$home/record"`
    const hold = (hook: string): string =>
      `while [ -e "$home/hold-${hook}-${version}" ]; do sleep 0.1; done; test ! -e "$home/fail-${hook}-${version}"`
    const pause = hookSeconds > 0 ? [`sleep ${hookSeconds}`] : []
    const recorded = (hook: string, effect: string): string =>
      [start, note('start', hook), ...pause, hold(hook), effect, note('end', hook)].join('; ')
    const write = `printf '%s %s' '${version}' "$input" >"$home/installed"`
    const hooks = {
      install: recorded('install', write),
      uninstall: recorded('uninstall', 'rm -f "$home/installed"'),
      verify: `${start}; ${hold('verify')}; case $(cat "$home/installed") in ${version}*) ;; *) exit 1 ;; esac`,
      ...(upgrade ? { upgrade: recorded('upgrade', write) } : {}),
    }
    const archive = installable({ name: this.software, version, hooks, ...(config && { config }) })
    const url = source.serve(`${this.software}-${version}.tar`, archive)
    const { uuid } = await this.fixture.publish(url, backupStorageUuid)
    this.releases.set(version, uuid)
    return uuid
  }

  lines(name: string): RecordedLine[] {
    const file = join(this.#folderOf(name), 'record')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map((line) => {
      const [kind, hook, version, pid = '', at = '0'] = line.split(' ')
      return { kind: kind as RecordedLine['kind'], hook: `${hook} ${version}`, pid, atNs: BigInt(at) }
    })
  }

  /** The hooks that a host started: `install 1.0.0`. */
  record(name: string): string[] {
    return this.lines(name).flatMap(({ kind, hook }) => (kind === 'start' ? [hook] : []))
  }

  /** The same without repetitions: a hook that a killed server interrupted runs again. */
  effects(name: string): string[] {
    return this.record(name).filter((line, index, lines) => line !== lines[index - 1])
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
  async until(uuid: string, state: string, withinMs = 60_000): Promise<TestRollout> {
    for (const deadline = performance.now() + withinMs; performance.now() < deadline; await delay(50)) {
      const rollout = await this.get(uuid)
      if ([rollout.state, `${rollout.state} ${rollout.pauseReason}`].includes(state)) return rollout
    }
    const targets = (await this.targets(uuid)).map(({ hostName, state: found, error }) => [hostName, found, error])
    throw new Error(`not ${state}: ${JSON.stringify(await this.get(uuid))} ${JSON.stringify(targets)}`)
  }
}

function connectionOf(machine: TestHost | undefined): Fields {
  if (machine === undefined) return { driver: 'local', address: '127.0.0.1', username: 'root' }
  const { address, port: sshPort, username, privateKey } = machine
  return { driver: 'ssh', address, sshPort, username, privateKey }
}
