import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  AlertPlatformFixture,
  type Answer,
  alertmanagerBody,
  authorizeEachOther,
  ChatReceiver,
  HostAnnouncer,
  installable,
  interfaceTo,
  migratePackage,
  PackageSource,
  startConsole,
  startHosts,
  type TestHost,
  type TestServer,
} from '@wharf/testkit'
import { clusterOn, clusterPackage } from '../../packages/testkit/src/packages/cluster-package.ts'
import { buildPackage } from '../build-packages.ts'
import { addFleet } from './fleet.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

const hourMs = 3_600_000
const examples = fileURLToPath(new URL('../../examples/packages', import.meta.url))

/** Three storage hosts with a cluster, packages in every state, and chat groups that receive alerts. */
export class ScreenshotFixture {
  readonly server: TestServer
  readonly uuids = {
    release: '',
    rollout: '',
    upgraded: '',
    unhealthy: '',
    package: '',
    running: '',
    failed: '',
    host: '',
    cluster: '',
    endpoint: '',
    account: '',
  }
  readonly #machines: readonly TestHost[]
  readonly #cleanup: Cleanup

  private constructor(cleanup: Cleanup, server: TestServer, machines: readonly TestHost[]) {
    this.#cleanup = cleanup
    this.server = server
    this.#machines = machines
  }

  static async start(cleanup: Cleanup): Promise<ScreenshotFixture> {
    const machines = await startHosts(cleanup, 5)
    const [first] = machines as [TestHost]
    const environment = { WHARF_DISCOVERY: interfaceTo(first), WHARF_PUBLIC_URL: 'https://wharf.example.com' }
    const fixture = new ScreenshotFixture(cleanup, await startConsole(cleanup, { environment }), machines)
    await fixture.#addHosts()
    await fixture.#addPackages()
    await fixture.#addCluster()
    await fixture.#addFleet()
    await fixture.#addChat()
    await fixture.#addAccounts()
    await fixture.#spreadDates()
    return fixture
  }

  /** Addresses of the three nodes. */
  get nodes(): string[] {
    return this.#machines.slice(0, 3).map(({ address }) => address)
  }

  async #uuidOf(call: Promise<Answer>): Promise<string> {
    const { body, text } = await call
    const created = body.inventory as { uuid: string } | undefined
    if (created === undefined) throw new Error(text)
    return created.uuid
  }

  async #addHosts(): Promise<void> {
    const { admin, environment } = this.server
    const storage = this.#machines.slice(0, 3)
    await authorizeEachOther(storage)
    const keys = join(environment.WHARF_DATA ?? '', 'ssh')
    mkdirSync(keys, { recursive: true })
    writeFileSync(join(keys, 'id_ed25519'), storage[0]?.privateKey ?? '', { mode: 0o600 })
    for (const [index, { address, port: sshPort, username }] of storage.entries()) {
      const labels = { role: 'storage', zone: index < 2 ? 'a' : 'b' }
      const params = { name: `storage-${index + 1}`, driver: 'ssh', address, sshPort, username, labels }
      const uuid = await this.#uuidOf(admin.post('/v1/hosts', { params }))
      if (index === 0) this.uuids.host = uuid
    }
    for (const [index, machine] of this.#machines.slice(3).entries()) {
      await machine.exec(`hostname compute-${index + 1}`)
      const facts = ['--sn', `CN7G4K${index}2`, '--manufacturer', 'Dell Inc.', '--product', 'PowerEdge R650']
      await HostAnnouncer.start(this.#cleanup, machine, facts)
    }
  }

  async #addPackages(): Promise<void> {
    const source = await PackageSource.start(this.#cleanup)
    const add = (name: string, type: string, bytes: Buffer): Promise<string> => {
      const { managementNodeUuid } = this.server.bootstrap
      const installPath = `/var/tmp/packages/${name}.tar`
      const place = { hostUuid: this.uuids.host, managementNodeUuid, installPath }
      const params = { name, type, url: source.serve(`${name}.tar`, bytes), ...place }
      return this.#uuidOf(this.server.admin.post('/v1/software-packages/upload', { params }))
    }
    const hello = await buildPackage(join(examples, 'hello'), join(examples, 'dist'))
    this.uuids.package = await add('hello-1.0.0', 'demo', readFileSync(hello))
    const data = [{ name: 'data.bin', data: Buffer.alloc(24 * 2 ** 20, 'wharf') }]
    const exporter = { install: 'cat >/dev/null; echo "the exporter listens on port 9100"' }
    const monitor = await add(
      'node-exporter-1.9.1',
      'monitoring',
      installable({ type: 'monitoring', hooks: exporter, more: data }),
    )
    await this.#install(monitor)
    const failing = { install: 'cat >/dev/null; echo "E: not enough space in /var/lib" >&2; exit 28' }
    this.uuids.failed = await add(
      'registry-2.8.3',
      'images',
      installable({ type: 'images', hooks: failing, more: data }),
    )
    await this.#install(this.uuids.failed)
    const long = `cat >/dev/null
for step in 'unpacking the images' 'loading image 1 of 3' 'loading image 2 of 3'; do echo "::progress 30"; echo "$step"; done
sleep 600`
    this.uuids.running = await add(
      'observability-4.2.0',
      'monitoring',
      installable({ type: 'monitoring', hooks: { install: long } }),
    )
    const gateway = {
      name: 'migrate-gateway-1.0.0',
      type: 'Migrate',
      url: source.serve('gateway.tar', migratePackage()),
      installPath: 'packages/migrate-gateway-1.0.0.tar',
      backupStorageUuid: this.server.bootstrap.backupStorageUuid,
    }
    await this.#uuidOf(this.server.admin.post('/v1/software-packages/backup-storage/upload', { params: gateway }))
  }

  #install(uuid: string, headers: Record<string, string> = {}): Promise<Answer> {
    const path = `/v1/software-package/install/${uuid}/actions`
    return this.server.admin.put(path, { installSoftwarePackage: {} }, headers)
  }

  /** Called last: the job runs while screenshots are taken. */
  startLongJob(): Promise<Answer> {
    return this.#install(this.uuids.running, { prefer: 'respond-async' })
  }

  failAgain(): Promise<Answer> {
    return this.#install(this.uuids.failed)
  }

  async #addCluster(): Promise<void> {
    const { admin, bootstrap } = this.server
    const source = await PackageSource.start(this.#cleanup)
    const add = async (name: string): Promise<string> => {
      const url = source.serve(`${name}.tar`, clusterPackage())
      const { managementNodeUuid } = bootstrap
      const place = { hostUuid: this.uuids.host, managementNodeUuid, installPath: `/var/tmp/packages/${name}.tar` }
      const params = { name, type: 'storage', url, ...place }
      const uuid = await this.#uuidOf(admin.post('/v1/software-packages/upload', { params }))
      await this.#install(uuid)
      return uuid
    }
    const softwarePackageUuid = await add('etcd-cluster-3.4.23')
    await add('etcd-cluster-3.5.21')
    const { managementIp, ...places } = clusterOn(this.#machines.slice(0, 3))
    const uuid = await this.#uuidOf(admin.post('/v1/cluster-plugin', { params: { name: 'etcd', managementIp } }))
    this.uuids.cluster = uuid
    await admin.put('/v1/cluster-plugin/config/cluster', {
      updateClusterConfig: { uuid, softwarePackageUuid, ...places },
    })
    await admin.post(`/v1/cluster-plugin/${uuid}/alert-platform`, {})
  }

  async #addFleet(): Promise<void> {
    const source = await PackageSource.start(this.#cleanup)
    Object.assign(this.uuids, await addFleet({ server: this.server, source, machines: this.#machines }))
  }

  async #addChat(): Promise<void> {
    const { admin } = this.server
    const receiver = await ChatReceiver.start(this.#cleanup)
    const chat = '/v1/sns/application-endpoints/chatapp'
    for (const [type, name] of [
      ['DingTalk', 'On call'],
      ['WeCom', 'Storage team'],
      ['Slack', 'Operations'],
    ] as const) {
      const params = { type, name, url: receiver.webhookUrl(type, 'hook') }
      const uuid = await this.#uuidOf(admin.post(chat, { params }))
      if (type !== 'DingTalk') continue
      this.uuids.endpoint = uuid
      const person = { endpointUuid: uuid, userId: '13800138000', remark: 'Anna' }
      await admin.post(`${chat}/at-persons`, { params: person })
    }
    const platform = await AlertPlatformFixture.create(this.server, 'Prometheus')
    const startsAt = (hoursAgo: number): string => new Date(Date.now() - hoursAgo * hourMs).toISOString()
    const withSummary = (summary: string) => ({ annotations: { summary } })
    await platform.send(
      {
        name: 'EtcdMemberDown',
        ...withSummary('Member storage-3 has not answered for 2 minutes'),
        startsAt: startsAt(30),
      },
      {
        name: 'DiskAlmostFull',
        ...withSummary('/var/lib on storage-2 is 91% full'),
        labels: { severity: 'warning', instance: 'storage-2' },
        startsAt: startsAt(5),
      },
    )
    const back = { name: 'EtcdMemberDown', status: 'resolved', ...withSummary('Member storage-3 is back') } as const
    const { alerts, ...message } = alertmanagerBody({ ...back, startsAt: startsAt(30) })
    await platform.post({ ...message, alerts: alerts.map((alert) => ({ ...alert, endsAt: startsAt(29) })) })
    await receiver.waitForMessages('hook', 6)
  }

  async #addAccounts(): Promise<void> {
    const { admin } = this.server
    for (const [name, role] of [
      ['developers', 'operator'],
      ['auditors', 'reader'],
    ] as const) {
      const uuid = await this.#uuidOf(
        admin.post('/v1/accounts', { params: { name, role, password: 'for the screenshots' } }),
      )
      this.uuids.account ||= uuid
    }
  }

  /** Spreads the creation dates over some weeks. */
  async #spreadDates(): Promise<void> {
    const database = new DatabaseSync(join(this.server.environment.WHARF_DATA ?? '', 'wharf.db'))
    // the server of this process may have a transaction open, which ends only in a later turn
    for (let isLocked = true, tries = 0; isLocked; tries++)
      try {
        database.exec('begin immediate')
        isLocked = false
      } catch (error) {
        if (tries === 100) throw error
        await delay(50)
      }
    const age = `(40 - rowid) * ${7 * hourMs}`
    for (const table of [
      'softwarePackages',
      'hosts',
      'backupStorage',
      'clusterPlugins',
      'chatEndpoints',
      'accounts',
      'users',
      'accessKeys',
      'jobs',
    ])
      database.exec(`update ${table} set createDate = createDate - ${age}`)
    database.exec(`update jobs set lastOpDate = lastOpDate - ${age}, endDate = endDate - ${age}`)
    database.exec('update thirdPartyAlerts set createDate = coalesce(endsAt, startsAt)')
    addHostSamples(database, this.uuids.host)
    database.exec('commit')
    database.close()
  }
}

/** A day of load, memory and disk usage. */
function addHostSamples(database: DatabaseSync, hostUuid: string): void {
  const intervalMs = 300_000
  const gibibyte = 2 ** 30
  const last = Math.floor(Date.now() / intervalMs) * intervalMs
  const insert = database.prepare(
    `insert or replace into hostSamples (hostUuid, time, load1, processors, memoryUsedBytes, memoryTotalBytes,
      diskUsedBytes, diskTotalBytes, packagesDiskUsedBytes, packagesDiskTotalBytes)
      values (?, ?, ?, 4, ?, ${16 * gibibyte}, ?, ${12 * gibibyte}, ?, ${12 * gibibyte})`,
  )
  for (let index = 0; index < 288; index++) {
    const load = 90 + 60 * Math.sin(index / 30) + 20 * Math.sin(index * 7)
    const memory = (6 + Math.sin(index / 50)) * gibibyte
    const disk = (5 - index / 300) * gibibyte
    insert.run(
      hostUuid,
      last - index * intervalMs,
      Math.round(load),
      Math.round(memory),
      Math.round(disk),
      Math.round(disk),
    )
  }
}
