import { ApiError } from '@wharf/platform/api-error.ts'
import type { PackageManifest, PackageRow } from '../software-packages/service.ts'

const refused = (details: string): ApiError => new ApiError('SYS.1006', details)

/** What a package must have to be published; returns what its manifest declares. */
export function checkPublishable(
  row: PackageRow,
  { isKind }: { isKind: boolean },
): Pick<PackageManifest, 'name' | 'version' | 'type'> {
  const { name, status, backupStorageUuid } = row
  if (backupStorageUuid === null)
    throw refused(
      `software package ${name} is on a host, but a release is published from backup storage; upload the package to backup storage first`,
    )
  if (isKind)
    throw refused(
      `software package ${name} is of type ${row.type}, which is installed once and not released; install it from backup storage`,
    )
  if (status !== 'Uploaded')
    throw new ApiError('SYS.1005', `software package ${name} is ${status}; to publish it, it must be Uploaded`)
  if (row.manifest === null)
    throw refused(`software package ${name} has no wharf.json; add one that names install, and upload it again`)
  const manifest = parse(row.manifest)
  for (const field of ['name', 'version', 'type', 'install'] as const)
    if (!manifest[field])
      throw refused(`the wharf.json of software package ${name} has no ${field}; add it, and upload the package again`)
  if (manifest.type !== row.type)
    throw refused(
      `params.softwarePackageUuid: software package ${name} was uploaded with the type ${row.type}, but its wharf.json has the type ${manifest.type}; delete the package, and upload it again with the type ${manifest.type}`,
    )
  return manifest as PackageManifest
}

/** A row of an older version may contain anything. */
function parse(text: string): Partial<PackageManifest> {
  try {
    return Object(JSON.parse(text)) as Partial<PackageManifest>
  } catch {
    return {}
  }
}
