import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { gzipped, installable } from '@wharf/testkit'
import type { FaultFixture } from './fault-fixture.ts'
import type { Scenario } from './scenario.ts'
import { databaseSites, type ServerSite } from './server-watch.ts'
import { SlicedUpload } from './sliced-upload.ts'

/** Everything that writes during an upload, with SQLite. */
export const uploadSites = (fixture: FaultFixture): readonly ServerSite[] => [
  ...databaseSites,
  { name: 'the log', by: 'main', call: 'write', error: 'ENOSPC', paths: async () => [fixture.logPath] },
  { name: 'the spool', by: 'files', call: 'pwrite64', error: 'ENOSPC' },
  { name: 'fdatasync of the spool', by: 'files', call: 'fdatasync', error: 'EIO' },
  { name: 'fsync where it is placed', by: 'files', call: 'fsync', error: 'EIO' },
  { name: 'its name', by: 'files', call: 'link', error: 'ENOSPC' },
  { name: 'programs on the host', by: 'programs', call: 'write', error: 'ENOSPC' },
  { name: 'ln on the host', by: 'programs', call: 'linkat', error: 'EIO' },
  { name: 'mv on the host', by: 'programs', call: 'renameat2', error: 'EIO' },
]

/** Two slices of a package to this node, to their final place. */
export function uploadScenario(fixture: FaultFixture, sites: readonly ServerSite[]): Scenario<ServerSite> {
  const bytes = gzipped(installable({ more: [{ name: 'filler', data: randomBytes(300_000) }] }))
  let number = 0
  const createUpload = (): SlicedUpload =>
    new SlicedUpload(fixture, join(fixture.folder, 'upload', `${number++}`), bytes)
  return {
    name: 'upload',
    sites,
    count: async () => {
      const upload = createUpload()
      const counts = await fixture.watch.count(sites, () => upload.tryOnce())
      await upload.assertDone()
      await upload.removeCompletely()
      return counts
    },
    run: async (site, fault) => {
      const upload = createUpload()
      const { result: failure, seen } = await fixture.watch.failing(site, fault, () => upload.tryOnce())
      const refusal = failure && fixture.refusal(failure, site)
      if (failure) await upload.resume()
      await upload.assertDone()
      await upload.removeCompletely()
      await fixture.assertSound()
      return { seen, refusal }
    },
  }
}
