import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { assertFailure, hostsNeedRoot, installable, PackageFixture, recordIn } from '@wharf/testkit'

interface HostRecord {
  uuid: string
  packagesPath: string | null
}

const fixture = await PackageFixture.start({ after })
const { folder, admin, server } = fixture
const local = { name: 'extra', driver: 'local', address: '127.0.0.1', username: 'root' }

const addHost = (params: object) => admin.post('/v1/hosts', { params })
const hostOf = async (uuid: string): Promise<HostRecord> =>
  ((await admin.get(`/v1/hosts/${uuid}`)).body.inventories as [HostRecord])[0]
const hostNames = async (): Promise<unknown> => (await admin.get('/v1/hosts?fields=name')).body.inventories

let count = 0
async function stored(): Promise<string> {
  const name = `s${count++}.tar`
  const bytes = installable({ hooks: { install: 'cat >/dev/null; pwd >where', uninstall: 'pwd' } })
  const answer = await fixture.toStorage({ url: fixture.source.serve(name, bytes), installPath: name })
  assert.equal(answer.status, 200, answer.text)
  return recordIn(answer).uuid
}

const ownDefault = userInfo().uid === 0 ? '/var/lib/wharf-packages' : join(homedir(), 'wharf-packages')

test('this node has the folder of its own user', async () => {
  assert.equal((await hostOf(server.bootstrap.hostUuid)).packagesPath, ownDefault)
})

test('a package from backup storage is installed in the packagesPath of its host and leaves nothing there', async () => {
  const packagesPath = join(folder, 'a/b')
  const added = await addHost({ ...local, packagesPath: `${packagesPath}/` })
  assert.equal(added.status, 200, added.text)
  const host = added.body.inventory as HostRecord
  assert.equal(host.packagesPath, packagesPath)
  assert.ok(!existsSync(packagesPath), 'created on demand')

  const uuid = await stored()
  assert.equal((await fixture.install(uuid, { hostUuid: host.uuid })).status, 200)
  const { unzipInstallPath } = await fixture.get(uuid)
  assert.equal(unzipInstallPath, `${packagesPath}/${uuid}/unpacked`)
  assert.ok(existsSync(`${unzipInstallPath}/where`))
  assert.equal((await fixture.uninstall(uuid)).status, 200)
  assert.deepEqual(readdirSync(packagesPath), [])
})

test('a host with a packagesPath that is not allowed for packages is not added', async () => {
  const before = await hostNames()
  mkdirSync(join(folder, 'empty'))
  symlinkSync('/etc', join(folder, 'etc'))
  symlinkSync('missing', join(folder, 'dangling'))
  const refused = { status: 400, code: 'SoftwarePackage.1131' }
  for (const [packagesPath, expected] of [
    ['packages', { ...refused, details: /packagesPath packages must be absolute/ }],
    ['/etc/wharf', { ...refused, details: /packagesPath \/etc\/wharf is under \/etc/ }],
    [`${server.environment.WHARF_DATA}/x`, { ...refused, details: /not for packages/ }],
    [join(folder, 'etc/wharf'), { ...refused, details: /packagesPath \/etc\/wharf is under \/etc/ }],
    [
      join(folder, 'dangling/x'),
      {
        status: 502,
        code: 'HOST.1000',
        details: /host extra \(127\.0\.0\.1\): .*dangling is not a folder; .*packagesPath/,
      },
    ],
  ] as const)
    assertFailure(await addHost({ ...local, packagesPath }), expected)
  assert.deepEqual(await hostNames(), before)
})

test('a host of an earlier version gets its folder, and packages installed in another one are still found', async () => {
  const { hostUuid } = server.bootstrap
  const uuid = await stored()
  assert.equal((await fixture.install(uuid, { hostUuid })).status, 200)
  const { database } = server.app.foundation
  const former = `${folder}/former`
  cpSync(`${ownDefault}/${uuid}`, `${former}/${uuid}`, { recursive: true })
  rmSync(`${ownDefault}/${uuid}`, { recursive: true })
  await database.transaction(async (tx) => {
    await tx.updateTable('hosts').set({ packagesPath: null }).where('uuid', '=', hostUuid).execute()
    const moved = { unzipInstallPath: `${former}/${uuid}/unpacked` }
    await tx.updateTable('softwarePackages').set(moved).where('uuid', '=', uuid).execute()
  })
  const reconnected = await admin.put(`/v1/hosts/${hostUuid}/actions`, { reconnectHost: {} })
  assert.equal((reconnected.body.inventory as HostRecord).packagesPath, ownDefault)
  const uninstalled = await fixture.uninstall(uuid)
  assert.equal(uninstalled.status, 200, uninstalled.text)
  assert.deepEqual(readdirSync(former), [])
})

test('an ordinary user on a host needs nothing that only root can write', { skip: hostsNeedRoot }, async (t) => {
  const [{ machine } = assert.fail()] = await fixture.addHosts(t)
  await machine.exec("useradd --create-home --password '*' ops && install -d -m 700 /srv/closed")
  const { address, port: sshPort, privateKey } = machine
  const ops = { name: 'web-1', driver: 'ssh', address, sshPort, username: 'ops', privateKey }
  const closed = await addHost({ ...ops, packagesPath: '/srv/closed/wharf' })
  assertFailure(closed, {
    status: 502,
    code: 'HOST.1000',
    details:
      /user ops cannot write to the packages folder \/srv\/closed\/wharf of host web-1 .*: \/srv\/closed is not writable; .* or add the host with a packagesPath/,
  })

  const added = await addHost(ops)
  assert.equal(added.status, 200, added.text)
  const { uuid: hostUuid, packagesPath } = added.body.inventory as HostRecord
  assert.equal(packagesPath, '/home/ops/wharf-packages')
  const uuid = await stored()
  const installed = await fixture.install(uuid, { hostUuid })
  assert.equal(installed.status, 200, installed.text)
  assert.equal(await machine.exec(`cat ${packagesPath}/${uuid}/unpacked/where`), `${packagesPath}/${uuid}/unpacked\n`)
  assert.equal((await fixture.uninstall(uuid)).status, 200)
  assert.equal(await machine.exec(`ls ${packagesPath}`), '')

  await machine.exec(`rmdir ${packagesPath} && chown root /home/ops && chmod 755 /home/ops`)
  assertFailure(await fixture.install(uuid, { hostUuid }), {
    status: 502,
    code: 'SYS.1016',
    details:
      /user ops cannot write to the packages folder \/home\/ops\/wharf-packages of host web-1 \([\d.]+\): \/home\/ops is not writable/,
  })
  const { status, hostUuid: none, unzipInstallPath } = await fixture.get(uuid)
  assert.deepEqual([status, none, unzipInstallPath], ['InstallFailed', null, null])
})
