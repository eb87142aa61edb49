import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { reverseCleanup } from '../reverse-cleanup.ts'
import { hostsNeedRoot, startHosts } from './hosts.ts'
import { runProgram, type TestHost } from './test-host.ts'

const reaches = async (from: TestHost, to: TestHost): Promise<boolean> =>
  from.exec(`timeout 1 bash -c 'exec 3<>/dev/tcp/${to.address}/${to.port}'`).then(
    () => true,
    () => false,
  )

describe('three hosts', { skip: hostsNeedRoot }, () => {
  let hosts: [TestHost, TestHost, TestHost]
  const cleanup = reverseCleanup({ after })
  before(async () => {
    hosts = (await startHosts(cleanup, 3)) as typeof hosts
  })

  test('have separate names, keys, boards and processes', async () => {
    const seen = await Promise.all(hosts.map((host) => host.exec('hostname; cat /sys/class/dmi/id/product_serial')))
    assert.equal(new Set(seen).size, 3)
    assert.equal(new Set(hosts.map((host) => host.hostKeyFingerprint)).size, 3)
    for (const host of hosts) assert.ok((await host.exec('ps -e')).split('\n').length < 10)
  })

  test('isolate their files from each other and from this machine', async () => {
    const [one, two] = hosts
    await one.exec('mkdir -p /opt/wharf-only-here; rm -f /etc/hostname')
    await two.exec('test ! -e /opt/wharf-only-here && test -e /etc/hostname')
    assert.ok(!existsSync('/opt/wharf-only-here'))
  })

  test('reach each other until a link is down, and again when it is up', async () => {
    const [one, two, three] = hosts
    assert.ok((await reaches(one, two)) && (await reaches(two, three)))
    await two.linkDown()
    assert.deepEqual(
      [await reaches(one, two), await reaches(two, three), await reaches(one, three)],
      [false, false, true],
    )
    await two.linkUp()
    await two.waitUntilReachable()
    // the others have to resolve its address again
    let isBack = false
    for (let tries = 0; tries < 20 && !isBack; tries++) isBack = await reaches(one, two)
    assert.ok(isBack)
  })

  test('drop packets to one of the others only', async () => {
    const [one, two, three] = hosts
    const restore = await one.blackholeTo(two)
    assert.deepEqual([await reaches(one, two), await reaches(one, three)], [false, true])
    await restore()
    assert.ok(await reaches(one, two))
  })
})

test('a killed test leaves nothing of its hosts', async () => {
  const code = `
    import { startHosts } from '${import.meta.resolve('./hosts.ts')}'
    const hosts = await startHosts({ after() {} }, 2)
    hosts[0].freeze()
    console.log(JSON.stringify(hosts.map(({ address, privateKeyPath }) => ({ address, privateKeyPath }))))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const [{ address, privateKeyPath }] = JSON.parse(String(line))
  const network = address.split('.').slice(1, 3).join('-')
  const folder = dirname(privateKeyPath)
  assert.ok(existsSync(folder))
  child.kill('SIGKILL')

  const isLeft = async (): Promise<boolean> =>
    existsSync(folder) ||
    (await runProgram('ps', ['-e', '-o', 'args='])).includes(folder) ||
    (await runProgram('ip', ['link'])).includes(`wh-${network}`)
  for (let tries = 0; await isLeft(); tries++) {
    assert.ok(tries < 600, 'something is left')
    await delay(50)
  }
})
