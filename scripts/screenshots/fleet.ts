import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, installable, type PackageSource, type TestHost, type TestServer } from '@wharf/testkit'

interface FleetDeps {
  readonly server: TestServer
  readonly source: PackageSource
  readonly machines: readonly TestHost[]
}

interface FleetRecords {
  release: string
  rollout: string
  upgraded: string
  unhealthy: string
}

const host = { type: 'object', properties: { host: { type: 'string' } } }
const listens = 'echo "web listens on port 8080"'

/** Releases, a rollout that succeeded and one that is paused by a failure, a window, and packages that are not well. */
export async function addFleet({ server, source, machines }: FleetDeps): Promise<FleetRecords> {
  const { admin, bootstrap } = server
  const recordOf = async (call: Promise<Answer>): Promise<{ uuid: string }> => {
    const { body, text } = await call
    const record = body.inventory as { uuid: string } | undefined
    if (record === undefined) throw new Error(text)
    return record
  }
  const publish = async (version: string, hooks: Record<string, string>): Promise<string> => {
    const name = `web-${version}`
    const url = source.serve(`${name}.tar`, installable({ name: 'web', version, type: 'service', hooks, config: host }))
    const params = { name, type: 'service', url, installPath: `releases/${name}.tar` }
    const stored = await recordOf(admin.post('/v1/software-packages/backup-storage/upload', { params }))
    const release = { softwarePackageUuid: stored.uuid, description: `Release notes of ${version}` }
    return (await recordOf(admin.post('/v1/releases', { params: release }))).uuid
  }
  const install = `cat >/dev/null; ${listens}`
  const verify = 'echo "HTTP 200 from 127.0.0.1:8080"'
  const inUse =
    'if grep -q storage-2; then echo "binding port 8080"; echo "E: port 8080 is used by pid 812"; exit 1; fi'
  const uninstall = 'echo stopped'
  await publish('1.0.0', { install, verify, uninstall })
  const release = await publish('1.1.0', { install, verify, uninstall })
  const failing = await publish('1.2.0', { install: `${inUse}; ${listens}`, verify, uninstall })

  const rolledOut = async (name: string, releaseUuid: string): Promise<string> => {
    const fields = { selector: ['labels.role=storage'], waves: ['1', '100%'], soakSeconds: 0, retries: 0 }
    const params = { name, releaseUuid, config: { host: '{{ host.name }}' }, ...fields }
    const { uuid } = await recordOf(admin.post('/v1/rollouts', { params }))
    for (let tries = 0; tries < 600; tries++, await delay(200)) {
      const { body } = await admin.get(`/v1/rollouts/${uuid}`)
      const [{ state } = { state: '' }] = body.inventories as { state: string }[]
      if (['Succeeded', 'Paused', 'Failed'].includes(state)) return uuid
    }
    throw new Error(`rollout ${name} does not end`)
  }
  const night = { name: 'nights', cron: '0 22 * * 1-5', durationMinutes: 360, timeZone: 'Europe/Berlin' }
  await recordOf(admin.post('/v1/maintenance-windows', { params: night }))
  await rolledOut('web 1.1.0', release)
  const rollout = await rolledOut('web 1.2.0', failing)
  const { body } = await admin.get(`/v1/software-package?q=releaseUuid=${failing}&q=status=Installed`)
  const [upgraded] = body.inventories as { uuid: string }[]

  const refused =
    'test ! -e /var/tmp/cache-down || { echo "PING"; echo "E: 127.0.0.1:6379 refused the connection"; exit 1; }'
  const cache = installable({ name: 'cache', version: '7.2.4', hooks: { install: 'cat >/dev/null', verify: refused } })
  const { body: hosts } = await admin.get('/v1/hosts?q=name=storage-3')
  const [{ uuid: hostUuid } = { uuid: '' }] = hosts.inventories as { uuid: string }[]
  const params = {
    name: 'cache-7.2.4',
    type: 'demo',
    url: source.serve('cache.tar', cache),
    hostUuid,
    managementNodeUuid: bootstrap.managementNodeUuid,
    installPath: '/var/tmp/packages/cache.tar',
  }
  const { uuid: unhealthy } = await recordOf(admin.post('/v1/software-packages/upload', { params }))
  await admin.put(`/v1/software-package/install/${unhealthy}/actions`, { installSoftwarePackage: {} })
  await machines[2]?.exec('touch /var/tmp/cache-down')
  await admin.put(`/v1/software-package/${unhealthy}/actions`, { verifySoftwarePackage: {} })
  return { release, rollout, upgraded: upgraded?.uuid ?? '', unhealthy }
}
