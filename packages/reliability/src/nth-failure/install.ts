import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { type Answer, gzipped, installable, recordIn } from '@wharf/testkit'
import type { FaultFixture } from './fault-fixture.ts'
import type { Scenario } from './scenario.ts'
import { databaseSites, type ServerSite } from './server-watch.ts'

const hooks = {
  install: 'cat >/dev/null; echo done >installed',
  verify: 'test -s installed',
  uninstall: 'rm installed',
}

/** Everything that writes during an install, with SQLite. */
const installSites: readonly ServerSite[] = [
  ...databaseSites,
  { name: 'programs on the host', by: 'programs', call: 'write', error: 'ENOSPC' },
  { name: 'sync on the host', by: 'programs', call: 'fsync', error: 'EIO' },
  { name: 'the name of the file on the host', by: 'programs', call: 'link', error: 'EIO' },
]

/** A package on backup storage is transferred to this node and installed, and uninstalled again for the next run. */
export async function installScenario(
  fixture: FaultFixture,
  t: { after(work: () => Promise<void>): void },
  sites = installSites,
): Promise<Scenario<ServerSite>> {
  const filler = randomBytes(100_000)
  const url = fixture.source.serve(
    'demo.tar.gz',
    gzipped(installable({ hooks, more: [{ name: 'filler', data: filler }] })),
  )
  const uploaded = await fixture.toStorage({ url, installPath: 'demo.tar.gz' })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid } = recordIn(uploaded)
  const home = await fixture.homeOn(fixture.server.bootstrap.hostUuid, uuid)
  t.after(async () => rmSync(home, { recursive: true, force: true }))

  let key = ''
  const install = (): Promise<Answer> =>
    fixture.install(uuid, { hostUuid: fixture.server.bootstrap.hostUuid }, { 'idempotency-key': key })
  const tryOnce = async (): Promise<Answer | undefined> => {
    key = randomUUID()
    const answer = await install()
    await fixture.waitForOutcome(uuid)
    return answer.status === 200 ? undefined : answer
  }
  /** Repeats the call with the same key when its result is unknown, and with a new key when it failed. */
  const tryAgain = async ({ body }: Answer): Promise<void> => {
    if (body.error?.code !== 'SYS.1010') {
      assert.equal((await fixture.get(uuid)).status, 'InstallFailed')
      assert.ok(!existsSync(home), 'a failed installation leaves nothing')
      key = randomUUID()
    }
    const again = await install()
    assert.equal(again.status, 200, again.text)
  }
  const assertDone = async (): Promise<void> => {
    assert.equal((await fixture.get(uuid)).status, 'Installed')
    assert.equal(readFileSync(`${home}/unpacked/installed`, 'utf8'), 'done\n')
    assert.ok(readFileSync(`${home}/unpacked/filler`).equals(filler))
  }
  const removeCompletely = async (): Promise<void> => {
    const answer = await fixture.uninstall(uuid)
    assert.equal(answer.status, 200, answer.text)
    assert.ok(!existsSync(home))
  }
  return {
    name: 'install',
    sites,
    count: async () => {
      const counts = await fixture.watch.count(sites, tryOnce)
      await assertDone()
      await removeCompletely()
      return counts
    },
    run: async (site, fault) => {
      const { result: failure, seen } = await fixture.watch.failing(site, fault, tryOnce)
      const refusal = failure && fixture.refusal(failure, site)
      if (failure) await tryAgain(failure)
      await assertDone()
      await removeCompletely()
      await fixture.assertSound()
      return { seen, refusal }
    },
  }
}
