import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, installable, type PackageRecord, recordIn } from '@wharf/testkit'
import type { Scenario } from './scenario.ts'
import type { ServerSite } from './watch.ts'
import type { FailingWorld } from './world.ts'

export const fetchSites: readonly ServerSite[] = [
  { name: 'the connection to the source', by: 'main', call: 'connect', error: 'ECONNREFUSED' },
  { name: 'the connection to a source that is silent', by: 'main', call: 'connect', error: 'ETIMEDOUT' },
]

/** A package that the server fetches from an address, for this node. */
export function fetchScenario(world: FailingWorld, sites = fetchSites): Scenario<ServerSite> {
  const bytes = installable()
  const url = world.source.serve('fetched.tar', bytes)
  const folder = join(world.folder, 'fetch')
  mkdirSync(folder)
  const installPath = join(folder, 'fetched.tar')
  const fetchIt = (key = randomUUID()): Promise<Answer> =>
    world.upload({ url, installPath }, { 'idempotency-key': key })
  const isDone = async (answer: Answer): Promise<void> => {
    assert.equal(answer.status, 200, answer.text)
    const { uuid, status, md5sum } = recordIn(answer)
    assert.equal(status, 'Uploaded')
    assert.ok(readFileSync(installPath).equals(bytes))
    assert.deepEqual(readdirSync(folder).toSorted(), ['fetched.tar', `fetched.tar_${md5sum}`])
    assert.equal((await world.remove(uuid)).status, 200)
    assert.deepEqual(readdirSync(folder), [])
  }
  return {
    name: 'upload from an address',
    sites,
    count: async () => {
      let answer: Answer | undefined
      const counts = await world.watch.count(sites, async () => {
        answer = await fetchIt()
      })
      await isDone(answer as Answer)
      return counts
    },
    run: async (site, fault) => {
      const { result: answer, seen } = await world.watch.failing(site, fault, () => fetchIt())
      if (answer.status === 200) {
        await isDone(answer)
        return { seen, refusal: undefined }
      }
      const refusal = world.refusal(answer, site)
      assert.deepEqual(readdirSync(folder), [], 'a failed upload leaves nothing')
      const { body } = await world.admin.get(`/v1/software-package?q=installPath=${installPath}`)
      for (const { uuid, status } of body.inventories as PackageRecord[]) {
        assert.equal(status, 'UploadFailed')
        assert.equal((await world.remove(uuid)).status, 200)
      }
      await isDone(await fetchIt())
      await world.isSound()
      return { seen, refusal }
    },
  }
}
