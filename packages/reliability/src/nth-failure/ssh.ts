import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, installable, recordIn } from '@wharf/testkit'
import type { Scenario } from './scenario.ts'
import type { ServerSite } from './watch.ts'
import type { FailingWorld } from './world.ts'

const hooks = { install: 'cat >/dev/null; echo done >installed', uninstall: 'rm installed' }

const sites: readonly ServerSite[] = [
  { name: 'connections of ssh', by: 'processes', call: 'connect', error: 'ECONNREFUSED' },
  { name: 'connections of ssh that are not answered', by: 'processes', call: 'connect', error: 'ETIMEDOUT' },
]

/** A package is installed on a host whose connection was lost before. */
export async function sshScenario(
  world: FailingWorld,
  t: { after(work: () => Promise<void>): void },
): Promise<Scenario<ServerSite>> {
  const [host] = await world.addHosts(t)
  assert.ok(host)
  const url = world.source.serve('ssh.tar', installable({ hooks }))
  const uploaded = await world.upload({ url, hostUuid: host.uuid, installPath: '/srv/wharf/ssh.tar' })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid, unzipInstallPath } = recordIn(uploaded)
  const isInstalled = (): Promise<string> => host.machine.exec(`cat ${unzipInstallPath}/installed 2>&1; true`)

  const tryOnce = async (): Promise<Answer | undefined> => {
    host.machine.cutConnections()
    await hasNoChildren(world.server.pid)
    const answer = await world.install(uuid)
    await world.outcome(uuid)
    return answer.status === 200 ? undefined : answer
  }
  const isDone = async (): Promise<void> => {
    assert.equal((await world.get(uuid)).status, 'Installed')
    assert.equal(await isInstalled(), 'done\n')
    const answer = await world.uninstall(uuid)
    assert.equal(answer.status, 200, answer.text)
  }
  return {
    name: 'install on a host',
    sites,
    count: async () => {
      const counts = await world.watch.count(sites, tryOnce)
      await isDone()
      return counts
    },
    run: async (site, fault) => {
      const { result: failure, seen } = await world.watch.failing(site, fault, tryOnce)
      const refusal = failure && world.refusal(failure, site)
      if (failure) {
        assert.doesNotMatch(await isInstalled(), /done/)
        const again = await world.install(uuid)
        assert.equal(again.status, 200, again.text)
      }
      await isDone()
      await world.isSound()
      return { seen, refusal }
    },
  }
}

/** The ssh of a connection that was cut is gone, and the server knows. */
async function hasNoChildren(pid: number): Promise<void> {
  for (let turns = 0; readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') !== ''; turns++) {
    assert.ok(turns < 500, 'the connection to the host does not end')
    await delay(20)
  }
}
