import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Answer, assertFailure, PackageFixture, recordIn, reverseCleanup } from '@wharf/testkit'
import { file, tarOf } from '@wharf/testkit/packages/archives/tar-builder.ts'

const cleanup = reverseCleanup({ after })
const fixture = await PackageFixture.start(cleanup)
const { admin } = fixture
const { hostUuid } = fixture.server.bootstrap
const goodToken = 'the-token-of-the-cluster'

/** On this machine: each hook writes its input to its folder; `check` requires the good token. */
function componentPackage(apiPort: number, hooks = ['check', 'alerts']): Buffer {
  const program = (name: string, more = '') => ({
    ...file(`${name}.sh`, `#!/bin/sh\nset -eu\ninput=$(cat)\nprintf '%s\\n' "$input" >>${name}.inputs\n${more}\n`),
    mode: 0o755,
  })
  const check = `case $input in *'"token":"${goodToken}"'*) ;; *) echo 'wrong token'; exit 1 ;; esac`
  const run = (name: string) => [name, { run: [`./${name}.sh`] }] as const
  const cluster = { ...Object.fromEntries(hooks.map(run)), apiPort }
  const manifest = {
    name: 'component',
    version: '1',
    type: 'storage',
    ...Object.fromEntries([run('install')]),
    cluster,
  }
  return tarOf(
    file('wharf.json', JSON.stringify(manifest)),
    program('install'),
    program('check', check),
    program('alerts', "! rm fail-alerts 2>/dev/null || { echo 'no Alertmanager'; exit 4; }"),
  )
}

let count = 0
async function install(apiPort: number, hooks?: string[]) {
  const url = fixture.source.serve('component.tar', componentPackage(apiPort, hooks))
  const installPath = join(fixture.folder, `${count++}`, 'component.tar')
  const uploaded = await fixture.upload({ name: 'component', url, type: 'storage', installPath })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid } = recordIn(uploaded)
  assert.equal((await fixture.install(uuid)).status, 200)
  const { unzipInstallPath } = await fixture.get(uuid)
  const inputs = (hook: string): Record<string, unknown>[] =>
    readFileSync(join(unzipInstallPath ?? '', `${hook}.inputs`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { uuid, inputs, folder: unzipInstallPath ?? '' }
}

const takeOver = (apiPort: number | undefined, adminToken = goodToken, managementIp = '127.0.0.1'): Promise<Answer> =>
  admin.post('/v1/cluster-plugin', { params: { name: `at ${apiPort}`, managementIp, apiPort, adminToken } })
const uuidIn = ({ body, text }: Answer): string => {
  assert.ok(body.inventory, text)
  return (body.inventory as { uuid: string }).uuid
}
const receive = (uuid: string): Promise<Answer> => admin.post(`/v1/cluster-plugin/${uuid}/alert-platform`, {})
const attach = (uuid: string): Promise<Answer> => admin.put(`/v1/cluster-plugin/${uuid}/actions`, { attachAlerts: {} })
const stateOf = async (uuid: string) => (await admin.get(`/v1/cluster-plugin/${uuid}/alert-attachment`)).body
const plugins = async () => (await admin.get('/v1/cluster-plugin')).body.inventories as unknown[]
async function lastLog(uuid: string): Promise<string> {
  const { body } = await admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&sort=-createDate&limit=1`)
  return (await admin.get(`/v1/api-jobs/${(body.inventories as { uuid: string }[])[0]?.uuid}/log`)).text
}

/** A component on this machine that accepts the good token at /health and belongs to no package. */
async function foreignComponent(): Promise<number> {
  const server = createServer(({ headers }, response) =>
    response.writeHead(headers.authorization === `Bearer ${goodToken}` ? 200 : 401).end(),
  ).listen(0, '127.0.0.1')
  cleanup.after(async () => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('a component that a package of this host runs is taken over with the package, and its alerts are received', async () => {
  const { uuid: packageUuid, inputs } = await install(7001)
  const before = await plugins()
  assertFailure(await takeOver(7001, 'another'), { status: 409, code: 'ClusterPlugin.1001', details: 'wrong token' })
  assert.deepEqual(await plugins(), before)

  const uuid = uuidIn(await takeOver(7001, goodToken, '::ffff:127.0.0.1'))
  assertFailure(await takeOver(7001), {
    status: 409,
    code: 'SYS.1002',
    details: 'already added as cluster plugin at 7001',
  })
  const cluster = { managementIp: '::ffff:127.0.0.1', apiPort: 7001 }
  assert.deepEqual(inputs('check').at(-1), { cluster, token: goodToken, takeover: true })
  assert.equal((await fixture.get(packageUuid)).status, 'Initialized')
  assertFailure(await fixture.uninstall(packageUuid), { status: 409, code: 'SYS.1006' })
  assert.equal((await stateOf(uuid)).attachment, 'None')

  const made = await receive(uuid)
  assert.equal(made.status, 200, made.text)
  const { uuid: platform, url } = made.body.thirdPartyPlatform as { uuid: string; url: string }
  const [alertsInput] = inputs('alerts') as { alerts: { url: string; token: string } }[]
  assert.deepEqual(alertsInput, {
    cluster,
    token: goodToken,
    takeover: true,
    alerts: { url, token: alertsInput?.alerts.token },
  })
  const alert = {
    status: 'firing',
    labels: { alertname: 'Down' },
    startsAt: new Date().toISOString(),
    fingerprint: 'a',
  }
  const sent = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${alertsInput?.alerts.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ version: '4', alerts: [{ ...alert, annotations: {} }] }),
  })
  assert.equal(sent.status, 200, await sent.text())
  const attached = await stateOf(uuid)
  assert.deepEqual([attached.attachment, attached.softwarePackageUuid, attached.url], ['Attached', packageUuid, url])

  // the component does not have a token that was reset
  const reset = await admin.put(`/v1/zwatch/third-party/platforms/${platform}/actions`, { resetToken: {} })
  assert.equal((await stateOf(uuid)).attachment, 'Pending')
  assert.equal((await attach(uuid)).body.attachment, 'Attached')
  assert.partialDeepStrictEqual(inputs('alerts').at(-1), { alerts: { token: reset.body.token } })
  const log = await lastLog(uuid)
  for (const secret of [goodToken, String(reset.body.token)]) assert.ok(!log.includes(secret), log)

  assert.equal((await admin.delete(`/v1/cluster-plugin/${uuid}`)).status, 200)
  assert.partialDeepStrictEqual(inputs('alerts').at(-1), { alerts: null, takeover: true })
  assert.equal(uuidIn(await takeOver(undefined)).length, 32, 'the port of the package, by whatever token it accepts')
})

test('of several packages on the host, the one that runs the component is taken over, not the newest', async () => {
  const port = 18_771
  const running = await install(port)
  const first = uuidIn(await takeOver(port))
  assert.equal((await admin.call('DELETE', `/v1/cluster-plugin/${first}`)).status, 200)
  const newer = await install(port)
  const second = uuidIn(await takeOver(port))
  assert.equal((await receive(second)).status, 200)
  assert.equal((await stateOf(second)).softwarePackageUuid, running.uuid)
  assert.equal((await fixture.get(newer.uuid)).status, 'Installed')
})

test('a failed hook leaves no alert platform', async () => {
  const { folder } = await install(7002)
  const uuid = uuidIn(await takeOver(7002))
  writeFileSync(join(folder, 'fail-alerts'), '')
  assertFailure(await receive(uuid), { status: 502, code: 'SoftwarePackage.1300', details: 'no Alertmanager' })
  assert.equal((await stateOf(uuid)).attachment, 'None')
  assert.equal((await receive(uuid)).status, 200)
  assert.equal((await stateOf(uuid)).attachment, 'Attached')
})

test('without an installed package, the log contains the address and where the token is shown', async () => {
  const port = await foreignComponent()
  const uuid = uuidIn(await takeOver(port))
  assert.match(
    await lastLog(uuid),
    /no software package managed by Wharf was found for port \d+ at 127\.0\.0\.1: .*create its alert platform/,
  )
  const made = await receive(uuid)
  const { uuid: platform, url } = made.body.thirdPartyPlatform as { uuid: string; url: string }
  const log = await lastLog(uuid)
  assert.ok(log.includes(`webhook address to enter in the Alertmanager of the component: ${url}`), log)
  assert.ok(log.includes(`resetToken of alert platform ${platform}`) && log.includes('WHARF_PUBLIC_URL'), log)
  assert.partialDeepStrictEqual(await stateOf(uuid), { attachment: 'Manual', url, softwarePackageUuid: null })
  assert.equal((await attach(uuid)).body.attachment, 'Manual')

  // when its package is installed later, the stored token matches it
  const { uuid: packageUuid, inputs } = await install(port)
  assert.equal((await attach(uuid)).body.attachment, 'Attached')
  assert.partialDeepStrictEqual(inputs('check').at(-1), { token: goodToken, takeover: true })
  assert.partialDeepStrictEqual(await stateOf(uuid), { attachment: 'Attached', softwarePackageUuid: packageUuid })
})

test('the log names the address to remove from a component that was configured manually', async () => {
  const uuid = uuidIn(await takeOver(await foreignComponent()))
  const { url } = (await receive(uuid)).body.thirdPartyPlatform as { url: string }
  assert.equal((await admin.delete(`/v1/cluster-plugin/${uuid}`)).status, 200)
  assert.ok(
    (await lastLog(uuid)).includes(`if ${url} was entered in the Alertmanager of the component, remove it from there`),
  )
})

test('without an alerts hook the alerts must be configured manually', async () => {
  await install(7003, ['check'])
  const uuid = uuidIn(await takeOver(7003))
  assert.equal((await receive(uuid)).status, 200)
  const { attachment, reason } = await stateOf(uuid)
  assert.deepEqual(
    [attachment, String(reason).includes('has no alerts hook; enter the address and the token')],
    ['Manual', true],
  )
})

test('before the configuration the alerts of the platform are Pending', async () => {
  const params = { name: 'new', managementIp: '10.0.0.1' }
  const uuid = uuidIn(await admin.post('/v1/cluster-plugin', { params }))
  assertFailure(await attach(uuid), {
    status: 409,
    code: 'SYS.1005',
    details: 'has no alert platform; create it first',
  })
  assert.equal((await receive(uuid)).status, 200)
  assert.match(
    await lastLog(uuid),
    /not configured yet; its component receives the address and the token when it is configured/,
  )
  assert.equal((await stateOf(uuid)).attachment, 'Pending')
})

test('a package on a disabled host is named, and its component is not treated as a foreign one', async () => {
  await install(7004)
  const change = (stateEvent: string) => admin.put(`/v1/hosts/${hostUuid}/actions`, { changeHostState: { stateEvent } })
  await change('disable')
  assertFailure(await takeOver(7004), { status: 409, code: 'SYS.1005', details: 'is Disabled' })
  await change('enable')
})
