import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  gatewayImage,
  hostsNeedRoot,
  KillablePackages,
  migratePackage,
  recordIn,
  reverseCleanup,
  startLibvirt,
  virsh,
  waitForConsoleOutput,
} from '@wharf/testkit'

type When = 'before' | 'after'

const dashed = (uuid: string): string => uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
/** The name of a VM determines where its job stops. */
const uuidOf = (name: string): string => Buffer.from(name.padEnd(16, '.')).toString('hex')

/** `define` gets the VM on standard input, so its breakpoint applies to every VM that is created then. */
const breakpointFor = (name: string): [When, string[]] => {
  const [when = '', word = ''] = name.split('-')
  const text = { define: 'define /dev/stdin', disk: `${uuidOf(name)}/disk.qcow2` }[word]
  return [when as When, [text ?? `system ${word} ${dashed(uuidOf(name))}`]]
}

suite('after kill -9 of the server', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let fixture: KillablePackages
  let packageUuid = ''
  const config = () => ({ hostUuid: fixture.remote.hostUuid, memoryBytes: 32 * 2 ** 20, network: 'user' })
  const domains = async () =>
    (await virsh(fixture.remote, 'list --all --name')).trim().split('\n').filter(Boolean).sort()
  const later = { prefer: 'respond-async' }

  const make = async (name: string, headers: Record<string, string> = {}): Promise<string> => {
    const uuid = uuidOf(name)
    const params = { name, resourceUuid: uuid, ...config() }
    const made = await fixture.admin.post('/v1/migrate/vm-instances', { params }, headers)
    assert.ok(made.status === 200 || made.status === 202, made.text)
    return uuid
  }
  const states = async () => {
    const { body } = await fixture.admin.get('/v1/migrate/vm-instances')
    const shown = body.gatewayVmInstances as { uuid: string; state: string }[]
    return Object.fromEntries(shown.map(({ uuid, state }) => [uuid, state]))
  }

  before(async () => {
    fixture = await KillablePackages.start(cleanup)
    await startLibvirt(fixture.remote)
    const url = fixture.source.serve('m.tar', migratePackage([gatewayImage]))
    packageUuid = recordIn(await fixture.toStorage({ type: 'Migrate', url, installPath: 'm.tar' })).uuid
  })

  test('an installation resumes and creates one management VM', async () => {
    fixture.remote.breakpoints.add(...breakpointFor('after-define'))
    const accepted = await fixture.install(packageUuid, config(), later)
    assert.equal(accepted.status, 202, accepted.text)
    await fixture.killAndStart()
    await fixture.waitUntilIdle(packageUuid)
    assert.equal((await fixture.get(packageUuid)).status, 'Installed', await fixture.logOf(packageUuid))
    const { body } = await fixture.admin.get('/v1/migrate/vm-instances')
    assert.deepEqual(await domains(), [`wharf-${body.managementVmInstanceUuid}`])
    await waitForConsoleOutput(fixture.remote, String(body.managementVmInstanceUuid), 'up')
  })

  test('gateway VMs that were being created or removed are created or removed once', async () => {
    const removed = ['after-destroy', 'before-undefine', 'after-undefine']
    await Promise.all(removed.map((name) => make(name)))
    const made = ['after-disk', 'before-autostart', 'before-start', 'after-start', 'after-define', 'before-define']
    for (const name of [...removed, ...made]) {
      if (name.endsWith('-define')) await fixture.remote.breakpoints.waitUntilReached()
      fixture.remote.breakpoints.add(...breakpointFor(name))
      if (made.includes(name)) await make(name, later)
      else await fixture.admin.delete(`/v1/migrate/vm-instances/${uuidOf(name)}`, undefined, later)
    }
    await fixture.killAndStart()
    for (const name of [...made, ...removed]) await fixture.waitUntilIdle(uuidOf(name), 60_000)
    const now = await states()
    for (const name of made) {
      assert.equal(now[uuidOf(name)], 'Running', `${name}: ${await fixture.logOf(uuidOf(name))}`)
      await waitForConsoleOutput(fixture.remote, uuidOf(name), 'up')
    }
    for (const name of removed) assert.equal(now[uuidOf(name)], undefined, name)
    const known = Object.keys(now).sort()
    assert.equal(known.length, made.length + 1)
    assert.deepEqual(
      await domains(),
      known.map((uuid) => `wharf-${uuid}`),
    )
    assert.deepEqual((await fixture.remote.exec('ls /var/lib/wharf-migration/vms')).trim().split('\n').sort(), known)
  })
})
