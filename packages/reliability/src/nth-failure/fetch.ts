import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, installable, type PackageRecord, recordIn } from '@wharf/testkit'
import type { FaultFixture } from './fault-fixture.ts'
import type { Scenario } from './scenario.ts'
import type { ServerSite } from './server-watch.ts'

export const fetchSites: readonly ServerSite[] = [
  { name: 'the connection to the source', by: 'main', call: 'connect', error: 'ECONNREFUSED' },
  { name: 'the connection to a source that is silent', by: 'main', call: 'connect', error: 'ETIMEDOUT' },
]

/** A package that the server fetches from an address, for this node. */
export function fetchScenario(fixture: FaultFixture, sites = fetchSites): Scenario<ServerSite> {
  const bytes = installable()
  const url = fixture.source.serve('fetched.tar', bytes)
  const folder = join(fixture.folder, 'fetch')
  mkdirSync(folder)
  const installPath = join(folder, 'fetched.tar')
  const fetchIt = (key = randomUUID()): Promise<Answer> =>
    fixture.upload({ url, installPath }, { 'idempotency-key': key })
  const assertDone = async (answer: Answer): Promise<void> => {
    assert.equal(answer.status, 200, answer.text)
    const { uuid, status, md5sum } = recordIn(answer)
    assert.equal(status, 'Uploaded')
    assert.ok(readFileSync(installPath).equals(bytes))
    assert.deepEqual(readdirSync(folder).toSorted(), ['fetched.tar', `fetched.tar_${md5sum}`])
    assert.equal((await fixture.remove(uuid)).status, 200)
    assert.deepEqual(readdirSync(folder), [])
  }
  return {
    name: 'upload from an address',
    sites,
    count: async () => {
      let answer: Answer | undefined
      const counts = await fixture.watch.count(sites, async () => {
        answer = await fetchIt()
      })
      await assertDone(answer as Answer)
      return counts
    },
    run: async (site, fault) => {
      const { result: answer, seen } = await fixture.watch.failing(site, fault, () => fetchIt())
      if (answer.status === 200) {
        await assertDone(answer)
        return { seen, refusal: undefined }
      }
      const refusal = fixture.refusal(answer, site)
      assert.deepEqual(readdirSync(folder), [], 'a failed upload leaves nothing')
      const { body } = await fixture.admin.get(`/v1/software-package?q=installPath=${installPath}`)
      for (const { uuid, status } of body.inventories as PackageRecord[]) {
        assert.equal(status, 'UploadFailed')
        assert.equal((await fixture.remove(uuid)).status, 200)
      }
      await assertDone(await fetchIt())
      await fixture.assertSound()
      return { seen, refusal }
    },
  }
}
