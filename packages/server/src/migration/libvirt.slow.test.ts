import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  assertFailure,
  hasSaid,
  hostsNeedRoot,
  PackageWorld,
  recordIn,
  reverseCleanup,
  startLibvirt,
  type TestHost,
  testEngine,
  virsh,
} from '@wharf/testkit'
import { buildPackage } from '../../../../scripts/build-packages.ts'

// what it shows is the same on every database, and takes its time; `npm run test:long` runs it on both
if (testEngine !== 'sqlite' && process.env.TEST_LONG === undefined) process.exit(0)

const example = fileURLToPath(new URL('../../../../examples/packages/migrate-gateway', import.meta.url))

interface Vm {
  uuid: string
  name: string
  description: string | null
  state: string
  hostUuid: string
  imageUuid: string
}

suite('the migration gateway on real libvirt', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let world: PackageWorld
  let hosts: { machine: TestHost; uuid: string }[] = []
  let packageUuid = ''
  let managing = ''
  const vms = new Map<string, Vm>()
  const host = (number: number) => hosts[number] as { machine: TestHost; uuid: string }

  const list = async () => {
    const { body, text, status } = await world.admin.get('/v1/migrate/vm-instances')
    assert.equal(status, 200, text)
    return body as unknown as { managementVmInstanceUuid: string | null; gatewayVmInstances: Vm[] }
  }
  const make = (name: string, number: number, more: object = {}) =>
    world.admin.post('/v1/migrate/vm-instances', {
      params: { name, hostUuid: host(number).uuid, memoryBytes: 32 * 2 ** 20, network: 'user', ...more },
    })
  const remove = (uuid: string, body?: object) => world.admin.delete(`/v1/migrate/vm-instances/${uuid}`, body)
  const statesByName = async () =>
    Object.fromEntries((await list()).gatewayVmInstances.map(({ name, state }) => [name, state]))
  // VMs that were made at the same moment have no order that a test could know
  const sortedStates = async () => Object.values(await statesByName()).sort()
  const onHost = async (number: number) =>
    (await host(number).machine.exec('cd /var/lib/wharf-migration 2>/dev/null && find . -type f | sort || true')).trim()

  before(async () => {
    const out = await mkdtemp(join(tmpdir(), 'gateway-'))
    cleanup.after(() => rm(out, { recursive: true }))
    const archive = await buildPackage(example, out)
    world = await PackageWorld.start(cleanup)
    hosts = await world.addHosts(cleanup, 2)
    // one with the help of the processor, where there is any, and one without
    await Promise.all([startLibvirt(host(0).machine), startLibvirt(host(1).machine, { withoutKvm: true })])
    const url = world.source.serve('gateway.tar.gz', readFileSync(archive))
    const uploaded = await world.toStorage({ name: 'gateway', type: 'Migrate', url, installPath: 'gateway.tar.gz' })
    assert.equal(uploaded.status, 200, uploaded.text)
    packageUuid = recordIn(uploaded).uuid
  })

  test('the example package brings three images', async () => {
    const { body } = await world.admin.get('/v1/migrate/images')
    const shown = Object.entries(body.images as Record<string, Record<string, unknown>>)
    assert.deepEqual(shown.map(([key, { name, format, size, status }]) => [key, name, format, size, status]).sort(), [
      ['GatewayImage', 'gateway.qcow2', 'qcow2', 2 ** 20, 'Ready'],
      ['LinuxBootImage', 'linux-boot.img', 'raw', 2 ** 20, 'Ready'],
      ['WindowsBootImage', 'windows-boot.iso', 'iso', 49152, 'Ready'],
    ])
  })

  test('an installation that libvirt refuses leaves nothing behind', async () => {
    const config = { hostUuid: host(0).uuid, network: 'network:nowhere' }
    const failed = await world.install(packageUuid, config)
    assertFailure(failed, { status: 502, code: 'MIGRATE.1001', details: 'nowhere' })
    assert.equal((await world.get(packageUuid)).status, 'InstallFailed')
    assert.deepEqual(await list().then(({ gatewayVmInstances }) => gatewayVmInstances), [])
    assert.equal((await virsh(host(0).machine, 'list --all --name')).trim(), '')
    assert.equal(await onHost(0), '')
  })

  test('installing it makes the management VM, which starts', async () => {
    const config = { hostUuid: host(0).uuid, cpu: 1, memoryBytes: 64 * 2 ** 20, network: 'user' }
    const installed = await world.install(packageUuid, config)
    assert.equal(installed.status, 200, installed.text)
    assert.deepEqual(installed.body, {})
    const { managementVmInstanceUuid, gatewayVmInstances } = await list()
    managing = managementVmInstanceUuid ?? ''
    const [vm] = gatewayVmInstances
    assert.deepEqual([vm?.uuid, vm?.name, vm?.state, vm?.hostUuid], [managing, 'gateway', 'Running', host(0).uuid])
    await hasSaid(host(0).machine, managing, 'wharf gateway is up')
    const xml = await virsh(host(0).machine, `dumpxml wharf-${managing}`)
    assert.match(xml, new RegExp(`urn:wharf:migration[^>]+uuid=["']${managing}["']`))
    assert.match(await virsh(host(0).machine, 'list --all --autostart --name'), new RegExp(managing))
  })

  test('gateway VMs are made on either host at once, with or without KVM, whatever they are called', async () => {
    const nasty = `g2 <'"&> ]]> \u00fc\u4e2d`
    const made = await Promise.all([make('g1', 0), make(nasty, 1, { description: '</domain>' }), make('g3', 1)])
    for (const { status, text, body } of made) {
      assert.equal(status, 200, text)
      const vm = body.inventory as unknown as Vm
      vms.set(vm.name, vm)
      assert.equal(vm.state, 'Running')
    }
    for (const { uuid, hostUuid } of vms.values()) {
      const { machine } = hostUuid === host(0).uuid ? host(0) : host(1)
      await hasSaid(machine, uuid, 'wharf gateway is up')
    }
    assert.match(await virsh(host(1).machine, `dumpxml wharf-${vms.get('g3')?.uuid}`), /<domain type=["']qemu["']/)
    const { gatewayVmInstances, managementVmInstanceUuid } = await list()
    assert.equal(gatewayVmInstances.length, 4)
    assert.equal(gatewayVmInstances[0]?.uuid, managementVmInstanceUuid)
    const second = gatewayVmInstances.find(({ name }) => name === nasty)
    assert.deepEqual([second?.description, second?.state], ['</domain>', 'Running'])
    // the image is there once, however many start from it
    assert.equal((await onHost(1)).split('\n').filter((line) => line.includes('/images/')).length, 1)
  })

  test('what VMs do is told as libvirt tells it', async () => {
    await virsh(host(0).machine, `suspend wharf-${vms.get('g1')?.uuid}`)
    await virsh(host(1).machine, `destroy wharf-${vms.get('g3')?.uuid}`)
    const { g1, g3, gateway } = await statesByName()
    assert.deepEqual([gateway, g1, g3], ['Running', 'Paused', 'Stopped'])
  })

  test('a package that VMs run by is neither uninstalled nor deleted', async () => {
    const details = 'delete it first'
    assertFailure(await world.uninstall(packageUuid), { status: 409, code: 'SYS.1006', details })
    assertFailure(await world.remove(packageUuid), { status: 409, code: 'SYS.1004', details })
    assertFailure(await remove(managing), { status: 409, code: 'SYS.1004', details: 'is the management VM' })
    assertFailure(await world.admin.delete(`/v1/hosts/${host(1).uuid}`), { status: 409, code: 'SYS.1004' })
    assert.equal((await list()).gatewayVmInstances.length, 4)
  })

  test('a VM that was removed behind our back disappears, and can still be deleted', async () => {
    const uuid = vms.get('g3')?.uuid ?? ''
    await virsh(host(1).machine, `undefine wharf-${uuid}`)
    assert.equal((await statesByName()).g3, undefined)
    assert.equal((await remove(uuid)).status, 200)
    assert.ok(!(await onHost(1)).includes(uuid))
    assertFailure(await remove(uuid), { status: 404, code: 'SYS.1003' })
  })

  test('VMs of a host that is away are Unknown, not dropped, and the list does not wait for it', async () => {
    await host(1).machine.linkDown()
    const began = performance.now()
    const states = await sortedStates()
    assert.ok(performance.now() - began < 6000)
    await host(1).machine.linkUp()
    assert.deepEqual(states, ['Paused', 'Running', 'Unknown'])
    const again = await world.admin.put(`/v1/hosts/${host(1).uuid}/actions`, { reconnectHost: {} })
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(await sortedStates(), ['Paused', 'Running', 'Running'])
  })

  test('deleting a gateway VM stops it and takes its disk', async () => {
    const { uuid } = vms.get('g1') as Vm
    const removed = await remove(uuid)
    assert.equal(removed.status, 200, removed.text)
    assert.ok(!(await virsh(host(0).machine, 'list --all --name')).includes(uuid))
    assert.ok(!(await onHost(0)).includes(uuid))
    assert.equal((await statesByName()).g1, undefined)
  })

  test('a VM removed behind our back does not keep the package; uninstalling leaves nothing on any host', async () => {
    const [, second] = (await list()).gatewayVmInstances
    await virsh(host(1).machine, `"destroy wharf-${second?.uuid}; undefine wharf-${second?.uuid}"`)
    const done = await world.uninstall(packageUuid)
    assert.equal(done.status, 200, done.text)
    assert.equal(recordIn(done).status, 'Uploaded')
    assert.deepEqual(await list().then(({ gatewayVmInstances }) => gatewayVmInstances), [])
    assert.equal((await virsh(host(0).machine, 'list --all --name')).trim(), '')
    for (const number of [0, 1]) assert.ok(!(await onHost(number)).includes('/images/'), await onHost(number))
  })

  test('deleting it by force takes its VMs along', async () => {
    const config = { hostUuid: host(1).uuid, memoryBytes: 32 * 2 ** 20, network: 'user' }
    assert.equal((await world.install(packageUuid, config)).status, 200)
    assert.equal((await make('g4', 0)).status, 200)
    const forced = await world.admin.delete(`/v1/software-package/${packageUuid}`, { deleteMode: 'Enforcing' })
    assert.equal(forced.status, 200, forced.text)
    for (const number of [0, 1]) assert.equal((await virsh(host(number).machine, 'list --all --name')).trim(), '')
    assert.deepEqual((await world.admin.get('/v1/migrate/images')).body.images, {})
  })
})
