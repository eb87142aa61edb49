import type { FileConsumer } from '@wharf/archives/extraction.ts'
import type { PackageManifest } from '@wharf/archives/manifest.ts'
import type { Tx } from '@wharf/database/database.ts'
import type { JobContext } from '../../jobs/definition.ts'
import type { BackupStorageDriver } from '../backup-storage/driver.ts'
import type { PackageRow } from './store.ts'

/** A package that was just transferred to backup storage and is not published yet. */
export interface StoredPackage {
  readonly row: PackageRow
  readonly manifest: PackageManifest | null
  readonly md5: string
  readonly driver: BackupStorageDriver
  /** Passes the data of these files, named relative to wharf.json, to `take`. */
  extract(paths: readonly string[], consume: FileConsumer): Promise<void>
}

export interface Installation {
  readonly row: PackageRow
  readonly hostUuid: string
  /** As the caller sent it, checked against the package's own schema. */
  readonly config: unknown
}

/**
 * Another resource that uses packages of one type, which exist on backup storage only. Every method with a context is part
 * of a step or of its undo, and may happen twice.
 */
export interface PackageKind {
  readonly type: string
  /** In the commit that creates the record: throws when another package is not allowed. */
  claim(tx: Tx, row: PackageRow): Promise<void>
  /** The result is passed to `stored`. */
  unpack(context: JobContext, stored: StoredPackage): Promise<object>
  /** Removes everything that `unpack` has created; also called when the package is deleted. */
  removeUnpacked(context: JobContext, row: PackageRow): Promise<void>
  /** In the commit that makes the package Uploaded. */
  stored(tx: Tx, row: PackageRow, unpacked: object): Promise<void>

  /** Refuses what can be refused before the job starts. */
  checkInstallation(installation: Installation): Promise<void>
  install(context: JobContext, installation: Installation): Promise<void>
  /** In the commit that makes the package Installed. */
  installed(tx: Tx, row: PackageRow): Promise<void>
  /** Also the undo of `install`. */
  uninstall(context: JobContext, row: PackageRow): Promise<void>

  /** The hosts that have parts of the package, besides the one that it is installed on. */
  hostsOf(row: PackageRow, from?: Tx): Promise<readonly string[]>
  /** Before the commit of `refuseInUse`, outside of any transaction: removes the records of what no longer exists. */
  removeVanished(row: PackageRow): Promise<void>
  /** In the commit that starts its uninstallation or deletion. */
  refuseInUse(tx: Tx, row: PackageRow, doing: 'uninstall' | 'delete'): Promise<void>
  /** Removes everything that runs on the package. */
  removeAll(context: JobContext, row: PackageRow): Promise<void>
  /** In the commit that deletes the record, before the deletion. */
  deleted(tx: Tx, row: PackageRow): Promise<void>
}
