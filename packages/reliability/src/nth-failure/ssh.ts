import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, installable, recordIn } from '@wharf/testkit'
import type { FaultFixture } from './fault-fixture.ts'
import type { Scenario } from './scenario.ts'
import type { ServerSite } from './server-watch.ts'

const hooks = { install: 'cat >/dev/null; echo done >installed', uninstall: 'rm installed' }

const sites: readonly ServerSite[] = [
  { name: 'connections of ssh', by: 'processes', call: 'connect', error: 'ECONNREFUSED' },
  { name: 'connections of ssh that time out', by: 'processes', call: 'connect', error: 'ETIMEDOUT' },
]

/** A package is installed on a host whose connection was lost before. */
export async function sshScenario(
  fixture: FaultFixture,
  t: { after(work: () => Promise<void>): void },
): Promise<Scenario<ServerSite>> {
  const [host] = await fixture.addHosts(t)
  assert.ok(host)
  const url = fixture.source.serve('ssh.tar', installable({ hooks }))
  const uploaded = await fixture.upload({ url, hostUuid: host.uuid, installPath: '/srv/wharf/ssh.tar' })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid, unzipInstallPath } = recordIn(uploaded)
  const readInstalled = (): Promise<string> => host.machine.exec(`cat ${unzipInstallPath}/installed 2>&1; true`)

  const tryOnce = async (): Promise<Answer | undefined> => {
    host.machine.cutConnections()
    await waitForNoChildren(fixture.server.pid)
    const answer = await fixture.install(uuid)
    await fixture.waitForOutcome(uuid)
    return answer.status === 200 ? undefined : answer
  }
  const assertDone = async (): Promise<void> => {
    assert.equal((await fixture.get(uuid)).status, 'Installed')
    assert.equal(await readInstalled(), 'done\n')
    const answer = await fixture.uninstall(uuid)
    assert.equal(answer.status, 200, answer.text)
  }
  return {
    name: 'install on a host',
    sites,
    count: async () => {
      const counts = await fixture.watch.count(sites, tryOnce)
      await assertDone()
      return counts
    },
    run: async (site, fault) => {
      const { result: failure, seen } = await fixture.watch.failing(site, fault, tryOnce)
      const refusal = failure && fixture.refusal(failure, site)
      if (failure) {
        assert.doesNotMatch(await readInstalled(), /done/)
        const again = await fixture.install(uuid)
        assert.equal(again.status, 200, again.text)
      }
      await assertDone()
      await fixture.assertSound()
      return { seen, refusal }
    },
  }
}

/** Waits until the ssh process of the cut connection has ended. */
async function waitForNoChildren(pid: number): Promise<void> {
  for (let attempt = 0; readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') !== ''; attempt++) {
    assert.ok(attempt < 500, 'the connection to the host does not end')
    await delay(20)
  }
}
