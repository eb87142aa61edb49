import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { gzipped, installable } from '@wharf/testkit'
import type { Scenario } from './scenario.ts'
import { SlicedUpload } from './slices.ts'
import { databaseSites, type ServerSite } from './watch.ts'
import type { FailingWorld } from './world.ts'

/** All that writes on its way, with SQLite. */
export const uploadSites = (world: FailingWorld): readonly ServerSite[] => [
  ...databaseSites,
  { name: 'the log', by: 'main', call: 'write', error: 'ENOSPC', paths: async () => [world.logPath] },
  { name: 'the spool', by: 'files', call: 'pwrite64', error: 'ENOSPC' },
  { name: 'fdatasync of the spool', by: 'files', call: 'fdatasync', error: 'EIO' },
  { name: 'fsync where it is placed', by: 'files', call: 'fsync', error: 'EIO' },
  { name: 'its name', by: 'files', call: 'link', error: 'ENOSPC' },
  { name: 'programs on the host', by: 'programs', call: 'write', error: 'ENOSPC' },
  { name: 'ln on the host', by: 'programs', call: 'linkat', error: 'EIO' },
  { name: 'mv on the host', by: 'programs', call: 'renameat2', error: 'EIO' },
]

/** Two slices of a package to this node, to their final place. */
export function uploadScenario(world: FailingWorld, sites: readonly ServerSite[]): Scenario<ServerSite> {
  const bytes = gzipped(installable({ more: [{ name: 'filler', data: randomBytes(300_000) }] }))
  let number = 0
  const begin = (): SlicedUpload => new SlicedUpload(world, join(world.folder, 'upload', `${number++}`), bytes)
  return {
    name: 'upload',
    sites,
    count: async () => {
      const upload = begin()
      const counts = await world.watch.count(sites, () => upload.tryOnce())
      await upload.isDone()
      await upload.isGone()
      return counts
    },
    run: async (site, fault) => {
      const upload = begin()
      const { result: failure, seen } = await world.watch.failing(site, fault, () => upload.tryOnce())
      const refusal = failure && world.refusal(failure, site)
      if (failure) await upload.goOn()
      await upload.isDone()
      await upload.isGone()
      await world.isSound()
      return { seen, refusal }
    },
  }
}
