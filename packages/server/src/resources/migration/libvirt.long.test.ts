import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  assertFailure,
  hostsNeedRoot,
  PackageFixture,
  recordIn,
  reverseCleanup,
  sshDriverOf,
  startLibvirt,
  type TestHost,
  virsh,
  waitForConsoleOutput,
} from '@wharf/testkit'
import { buildPackage } from '../../../../../scripts/build-packages.ts'
import { Libvirt } from './hypervisor/libvirt.ts'

const example = fileURLToPath(new URL('../../../../../examples/packages/migrate-gateway', import.meta.url))

const hostileName = `g2 <'"&> ]]> \u00fc\u4e2d`

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
  let fixture: PackageFixture
  let hosts: { machine: TestHost; uuid: string }[] = []
  let packageUuid = ''
  let managementUuid = ''
  const vms = new Map<string, Vm>()
  const host = (number: number) => hosts[number] as { machine: TestHost; uuid: string }

  const list = async () => {
    const { body, text, status } = await fixture.admin.get('/v1/migrate/vm-instances')
    assert.equal(status, 200, text)
    return body as unknown as { managementVmInstanceUuid: string | null; gatewayVmInstances: Vm[] }
  }
  const make = (name: string, number: number, more: object = {}) =>
    fixture.admin.post('/v1/migrate/vm-instances', {
      params: { name, hostUuid: host(number).uuid, memoryBytes: 32 * 2 ** 20, network: 'user', ...more },
    })
  const remove = (uuid: string, body?: object) => fixture.admin.delete(`/v1/migrate/vm-instances/${uuid}`, body)
  const statesByName = async () =>
    Object.fromEntries((await list()).gatewayVmInstances.map(({ name, state }) => [name, state]))
  /** A host on a busy machine may answer later than the list waits for it, so the call is repeated. */
  const statesWhen = async (isComplete: (states: Record<string, string>) => boolean) => {
    let fastestMs = Number.POSITIVE_INFINITY
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now()
      const states = await statesByName()
      fastestMs = Math.min(fastestMs, performance.now() - startedAt)
      if (isComplete(states) || attempt === 10) return { states, fastestMs }
    }
  }
  const hasNoUnknown = (states: Record<string, string>) => !Object.values(states).includes('Unknown')
  const onHost = async (number: number) =>
    (await host(number).machine.exec('cd /var/lib/wharf-migration 2>/dev/null && find . -type f | sort || true')).trim()

  before(async () => {
    const out = await mkdtemp(join(tmpdir(), 'gateway-'))
    cleanup.after(() => rm(out, { recursive: true }))
    const archive = await buildPackage(example, out)
    fixture = await PackageFixture.start(cleanup, { jobLimits: { undoRetryMs: [200] } })
    hosts = await fixture.addHosts(cleanup, 2)
    // one with KVM, if the machine has it, and one without
    await Promise.all([startLibvirt(host(0).machine), startLibvirt(host(1).machine, { withoutKvm: true })])
    const url = fixture.source.serve('gateway.tar.gz', readFileSync(archive))
    const uploaded = await fixture.toStorage({ name: 'gateway', type: 'Migrate', url, installPath: 'gateway.tar.gz' })
    assert.equal(uploaded.status, 200, uploaded.text)
    packageUuid = recordIn(uploaded).uuid
  })

  test('the example package contains three images', async () => {
    const { body } = await fixture.admin.get('/v1/migrate/images')
    const shown = Object.entries(body.images as Record<string, Record<string, unknown>>)
    assert.deepEqual(shown.map(([key, { name, format, size, status }]) => [key, name, format, size, status]).sort(), [
      ['GatewayImage', 'gateway.qcow2', 'qcow2', 2 ** 20, 'Ready'],
      ['LinuxBootImage', 'linux-boot.img', 'raw', 2 ** 20, 'Ready'],
      ['WindowsBootImage', 'windows-boot.iso', 'iso', 49152, 'Ready'],
    ])
  })

  test('an installation that libvirt refuses leaves nothing behind', async () => {
    const config = { hostUuid: host(0).uuid, network: 'network:missing' }
    const failed = await fixture.install(packageUuid, config)
    assertFailure(failed, { status: 502, code: 'MIGRATE.1001', details: 'missing' })
    assert.equal((await fixture.get(packageUuid)).status, 'InstallFailed')
    assert.deepEqual(await list().then(({ gatewayVmInstances }) => gatewayVmInstances), [])
    assert.equal((await virsh(host(0).machine, 'list --all --name')).trim(), '')
    assert.equal(await onHost(0), '')
  })

  test('a VM that a failed installation could not remove stays listed', async () => {
    const { machine, uuid: hostUuid } = host(0)
    const failingVirsh = '#!/bin/sh\ncase " $* " in *" undefine "*) exit 1 ;; esac\nexec /usr/bin/virsh "$@"\n'
    await machine.exec(`printf '%s' '${failingVirsh}' >/usr/local/sbin/virsh; chmod +x /usr/local/sbin/virsh`)
    const failed = await fixture.install(packageUuid, { hostUuid, network: 'network:missing' })
    assertFailure(failed, { status: 502, code: 'MIGRATE.1001', details: 'missing' })
    await machine.exec('rm /usr/local/sbin/virsh')
    const [left] = (await list()).gatewayVmInstances
    assert.equal((await virsh(machine, 'list --all --name')).trim(), `wharf-${left?.uuid}`)
  })

  test('installing it creates and starts the management VM', async () => {
    const config = { hostUuid: host(0).uuid, cpu: 2, memoryBytes: 64 * 2 ** 20, network: 'user' }
    const installed = await fixture.install(packageUuid, config)
    assert.equal(installed.status, 200, installed.text)
    assert.deepEqual(installed.body, {})
    const { managementVmInstanceUuid, gatewayVmInstances } = await list()
    managementUuid = managementVmInstanceUuid ?? ''
    const [vm] = gatewayVmInstances
    assert.deepEqual([vm?.uuid, vm?.name, vm?.hostUuid], [managementUuid, 'gateway', host(0).uuid])
    assert.deepEqual((await statesWhen(hasNoUnknown)).states, { gateway: 'Running' })
    await waitForConsoleOutput(host(0).machine, managementUuid, 'wharf gateway is up')
    const xml = await virsh(host(0).machine, `dumpxml wharf-${managementUuid}`)
    assert.match(xml, new RegExp(`urn:wharf:migration[^>]+uuid=["']${managementUuid}["']`))
    for (const part of [/<memory unit='KiB'>65536</, /<vcpu[^>]*>2</, /<interface type='user'>/])
      assert.match(xml, part)
    assert.equal((await virsh(host(0).machine, 'list --all --name')).trim(), `wharf-${managementUuid}`)
    assert.match(await virsh(host(0).machine, 'list --all --autostart --name'), new RegExp(managementUuid))
  })

  test('gateway VMs are created on both hosts at the same time, with or without KVM, under any name', async () => {
    const made = await Promise.all([make('g1', 0), make(hostileName, 1, { description: '</domain>' }), make('g3', 1)])
    for (const { status, text, body } of made) {
      assert.equal(status, 200, text)
      const vm = body.inventory as unknown as Vm
      vms.set(vm.name, vm)
      assert.equal(vm.state, 'Running')
    }
    for (const { uuid, hostUuid } of vms.values()) {
      const { machine } = hostUuid === host(0).uuid ? host(0) : host(1)
      await waitForConsoleOutput(machine, uuid, 'wharf gateway is up')
    }
    assert.match(await virsh(host(1).machine, `dumpxml wharf-${vms.get('g3')?.uuid}`), /<domain type=["']qemu["']/)
    const { gatewayVmInstances, managementVmInstanceUuid } = await list()
    assert.equal(gatewayVmInstances.length, 4)
    assert.equal(gatewayVmInstances[0]?.uuid, managementVmInstanceUuid)
    const second = gatewayVmInstances.find(({ name }) => name === hostileName)
    assert.equal(second?.description, '</domain>')
    // the image is stored once for all VMs that boot from it
    assert.equal((await onHost(1)).split('\n').filter((line) => line.includes('/images/')).length, 1)
  })

  test('the states of VMs are those of libvirt', async () => {
    await virsh(host(0).machine, `suspend wharf-${vms.get('g1')?.uuid}`)
    await virsh(host(1).machine, `destroy wharf-${vms.get('g3')?.uuid}`)
    const { states } = await statesWhen(hasNoUnknown)
    assert.deepEqual(states, { gateway: 'Running', g1: 'Paused', [hostileName]: 'Running', g3: 'Stopped' })
  })

  test('a package that VMs use is neither uninstalled nor deleted', async () => {
    const details = 'delete it first'
    assertFailure(await fixture.uninstall(packageUuid), { status: 409, code: 'SYS.1006', details })
    assertFailure(await fixture.remove(packageUuid), { status: 409, code: 'SYS.1004', details })
    assertFailure(await remove(managementUuid), { status: 409, code: 'SYS.1004', details: 'is the management VM' })
    assertFailure(await fixture.admin.delete(`/v1/hosts/${host(1).uuid}`), { status: 409, code: 'SYS.1004' })
    assert.equal((await list()).gatewayVmInstances.length, 4)
  })

  test('a VM that was removed outside Wharf is not listed, and can still be deleted', async () => {
    const uuid = vms.get('g3')?.uuid ?? ''
    await virsh(host(1).machine, `undefine wharf-${uuid}`)
    assert.equal((await statesWhen(hasNoUnknown)).states.g3, undefined)
    assert.equal((await remove(uuid)).status, 200)
    assert.ok(!(await onHost(1)).includes(uuid))
    assertFailure(await remove(uuid), { status: 404, code: 'SYS.1003' })
  })

  test('VMs of an unreachable host are listed as Unknown, and the list does not wait for it', async () => {
    await host(1).machine.linkDown()
    const { states, fastestMs } = await statesWhen((current) => {
      // at every attempt
      assert.equal(current[hostileName], 'Unknown')
      return current.gateway !== 'Unknown'
    })
    await host(1).machine.linkUp()
    assert.deepEqual(states, { gateway: 'Running', g1: 'Paused', [hostileName]: 'Unknown' })
    assert.ok(fastestMs < 6000, `${fastestMs} ms`)
    const again = await fixture.admin.put(`/v1/hosts/${host(1).uuid}/actions`, { reconnectHost: {} })
    assert.equal(again.status, 200, again.text)
    assert.equal((await statesWhen(hasNoUnknown)).states[hostileName], 'Running')
  })

  test('a VM that Wharf did not create is left unchanged when a caller chooses its uuid', async (t) => {
    const { machine } = host(0)
    const uuid = 'aaaaaaaabbbbccccddddeeeeeeeeeeee'
    await machine.exec(`cat >/run/payroll.xml <<'end of file'
<domain type='qemu'><name>payroll</name><uuid>${uuid}</uuid><memory unit='MiB'>32</memory><os><type arch='x86_64'>hvm</type></os></domain>
end of file`)
    await virsh(machine, `"define /run/payroll.xml; start payroll"`)
    const operator = await fixture.server.signIn('operator')
    const params = { name: 'mine', hostUuid: host(0).uuid, network: 'user', resourceUuid: uuid }
    const refused = await operator.post('/v1/migrate/vm-instances', { params })
    assertFailure(refused, { status: 409, code: 'SYS.1002', details: ': payroll' })
    assert.equal((await list()).gatewayVmInstances.length, 3)
    const hypervisor = new Libvirt(sshDriverOf(t, machine), 'qemu:///system')
    const { signal } = t
    assert.equal(await hypervisor.remove(uuid, { signal }), false)
    assert.deepEqual((await hypervisor.list({ signal })).get(uuid), { name: 'payroll', state: 'Running' })
    await virsh(machine, `"destroy payroll; undefine payroll"`)
  })

  test('deleting a VM by force cancels its creation and succeeds', async () => {
    const uuid = 'b'.repeat(32)
    const params = { name: 'g5', hostUuid: host(0).uuid, network: 'user', resourceUuid: uuid }
    const accepted = await fixture.admin.post('/v1/migrate/vm-instances', { params }, { prefer: 'respond-async' })
    assert.equal(accepted.status, 202, accepted.text)
    const removed = await remove(uuid, { deleteMode: 'Enforcing' })
    assert.deepEqual([removed.status, removed.body], [200, { success: true, error: null }])
    const { body } = await fixture.admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}`)
    assert.deepEqual(
      (body.inventories as { operation: string; state: string }[]).map(({ operation, state }) => [operation, state]),
      [['CreateMigrateVmInstance', 'Cancelled']],
    )
    assert.ok(!(await virsh(host(0).machine, 'list --all --name')).includes(uuid))
    assert.ok(!(await onHost(0)).includes(uuid))
    assertFailure(await remove(uuid, { deleteMode: 'Enforcing' }), { status: 404, code: 'SYS.1003' })
  })

  test('deleting a gateway VM stops it and removes its disk', async () => {
    const { uuid } = vms.get('g1') as Vm
    const removed = await remove(uuid)
    assert.equal(removed.status, 200, removed.text)
    assert.ok(!(await virsh(host(0).machine, 'list --all --name')).includes(uuid))
    assert.ok(!(await onHost(0)).includes(uuid))
    assert.equal((await statesByName()).g1, undefined)
  })

  test('a VM that was removed outside Wharf does not block the package; uninstalling leaves nothing on any host', async () => {
    const [, second] = (await list()).gatewayVmInstances
    await virsh(host(1).machine, `"destroy wharf-${second?.uuid}; undefine wharf-${second?.uuid}"`)
    // also when it was renamed on the host
    await virsh(host(0).machine, `"destroy wharf-${managementUuid}; domrename wharf-${managementUuid} renamed"`)
    const done = await fixture.uninstall(packageUuid)
    assert.equal(done.status, 200, done.text)
    assert.equal(recordIn(done).status, 'Uploaded')
    assert.deepEqual(await list().then(({ gatewayVmInstances }) => gatewayVmInstances), [])
    assert.equal((await virsh(host(0).machine, 'list --all --name')).trim(), '')
    for (const number of [0, 1]) assert.ok(!(await onHost(number)).includes('/images/'), await onHost(number))
  })

  test('deleting it by force deletes its VMs', async () => {
    const config = { hostUuid: host(1).uuid, memoryBytes: 32 * 2 ** 20, network: 'user' }
    assert.equal((await fixture.install(packageUuid, config)).status, 200)
    assert.equal((await make('g4', 0)).status, 200)
    const forced = await fixture.admin.delete(`/v1/software-package/${packageUuid}`, { deleteMode: 'Enforcing' })
    assert.equal(forced.status, 200, forced.text)
    for (const number of [0, 1]) assert.equal((await virsh(host(number).machine, 'list --all --name')).trim(), '')
    assert.deepEqual((await fixture.admin.get('/v1/migrate/images')).body.images, {})
  })
})
