import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { hostsNeedRoot, reverseCleanup, sshDriverOf, startHosts } from '@wharf/testkit'
import { asOwner } from '../../../jobs/ownership.ts'

const { signal } = new AbortController()
const ownership = {
  jobUuid: '0123456789abcdef0123456789abcdef',
  fence: 2,
  requireOwned: () => {},
  loseOwnership: () => new Error('superseded'),
}

/** The state of the folder, and the expected error. */
const rows = [
  [
    'read-only',
    'mount -t tmpfs -o ro tmpfs /run/wharf-jobs',
    { code: 'SYS.1016', message: /cannot note the owner.*read-only/i },
  ],
  ['full', 'mount -t tmpfs -o nr_inodes=1 tmpfs /run/wharf-jobs', { code: 'SoftwarePackage.1121' }],
] as const

test('a host that cannot record the owner of a job reports it and runs nothing', {
  skip: hostsNeedRoot,
}, async (t) => {
  const cleanup = reverseCleanup(t)
  const [host] = await startHosts(cleanup, 1)
  assert.ok(host)
  const driver = sshDriverOf(cleanup, host)
  const run = () => asOwner(ownership, () => driver.run(['touch', '/srv/run'], { signal }))
  const put = () => asOwner(ownership, () => driver.put(Readable.from([]), '/srv/put', { signal }))
  for (const [name, script, failure] of rows)
    await t.test(name, async () => {
      await host.exec(`mkdir -p /run/wharf-jobs; ${script}`)
      await assert.rejects(run(), failure)
      await assert.rejects(put(), failure)
      await driver.run(['true'], { signal })
      assert.equal(await host.exec('ls /srv'), '')
      await host.exec('umount /run/wharf-jobs')
    })
  await Promise.all([run(), put()])
  assert.equal(
    await host.exec('ls /srv /run/wharf-jobs'),
    `/run/wharf-jobs:\n${ownership.jobUuid}-owner-2\n\n/srv:\nput\nrun\n`,
  )
})
