import { posix } from 'node:path'
import type { PackageRow } from './store.ts'

/** How many versions of one piece of software a host keeps, with the installed one. */
export const defaultKeepVersions = 2

/** A file name in a path may have 255 characters, and files of a job have its uuid in their names. */
const maxNameLength = 100

type Bytes = Pick<PackageRow, 'sha256' | 'md5sum' | 'size'>

/** A package that was sent directly to a host has only an MD5. */
export const hasBytesOf = ({ sha256, md5sum, size }: Bytes, release: Bytes): boolean =>
  sha256 === null ? md5sum !== null && md5sum === release.md5sum && size === release.size : sha256 === release.sha256

/** The folder that contains the file of an installed version, or the one that it was unpacked in from backup storage. */
export const folderBeside = (
  from: Pick<PackageRow, 'backupStorageUuid' | 'installPath' | 'unzipInstallPath'>,
): string =>
  from.backupStorageUuid === null
    ? posix.dirname(from.installPath)
    : posix.dirname(posix.dirname(from.unzipInstallPath ?? ''))

/** The file of a new version in this folder, unlike that of any other. */
export function newVersionPath(
  folder: string,
  { name, version, uuid, format }: { name: string; version: string; uuid: string; format: PackageRow['format'] },
): string {
  const plain = `${name}-${version}`.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, maxNameLength)
  return posix.join(folder, `${plain.replace(/^[.-]+/, '')}-${uuid.slice(0, 8)}.${format ?? 'tar'}`)
}

/** A package keeps the name that its user chose, with the version in it replaced. */
export const newVersionName = (from: Pick<PackageRow, 'name' | 'version'>, version: string): string =>
  from.version === null ? from.name : from.name.replaceAll(from.version, version).slice(0, 255)

type Superseded = Pick<PackageRow, 'uuid' | 'status' | 'supersededDate'>

/** The versions that an upgrade removes: replaced by others, and neither among the `keepVersions` newest nor in use. */
export function obsoleteVersions<Row extends Superseded>(
  rows: readonly Row[],
  { inUse, keepVersions }: { inUse: readonly string[]; keepVersions: number },
): Row[] {
  return rows
    .filter(({ uuid, status, supersededDate }) => {
      // an earlier removal that was interrupted has left it UploadFailed
      const isIdle = status === 'Uploaded' || status === 'UploadFailed'
      return supersededDate !== null && isIdle && !inUse.includes(uuid)
    })
    .toSorted((a, b) => (b.supersededDate ?? 0) - (a.supersededDate ?? 0))
    .slice(Math.max(keepVersions - inUse.length, 0))
}

type Restorable = Pick<PackageRow, 'hostUuid' | 'status' | 'unzipInstallPath'>

/** The previous version can be installed again as long as its files are on the same host. */
export const isRestorable = (previous: Restorable | undefined, { hostUuid }: Pick<PackageRow, 'hostUuid'>): boolean =>
  previous?.hostUuid === hostUuid && previous.status === 'Uploaded' && previous.unzipInstallPath !== null

/** Held by the version that a job installs: one upgrade of a piece of software on a host at a time. */
export const upgradeLockOf = (hostUuid: string, softwareName: string): string => `${hostUuid} ${softwareName}`
