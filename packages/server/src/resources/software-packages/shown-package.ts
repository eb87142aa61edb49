import { SoftwarePackageInventory } from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import type { PackageRow } from './store.ts'

/** The record as callers read it: a path on backup storage as it was sent, with or without a leading slash. */
export const shownPackage = (row: PackageRow): PackageRow => ({
  ...row,
  installPath: row.sentInstallPath ?? row.installPath,
})

/** The same for queries. A path on backup storage is found by either spelling, whichever was sent. */
export const shownPackages = collection(SoftwarePackageInventory, {
  columns: { installPath: 'coalesce("sentInstallPath", "installPath")' },
  spellings: {
    installPath: {
      column: '"installPath"',
      // only a path on a host is stored with its slash, so the same text never means both
      stored: (path) => (/^\/(?!\/)/.test(path) ? [path, path.slice(1)] : [path]),
      written: [
        '"installPath"',
        `(case when "backupStorageUuid" is null then "installPath" else '/' || "installPath" end)`,
      ],
    },
  },
})
