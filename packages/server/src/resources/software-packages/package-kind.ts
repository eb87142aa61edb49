import type { TakeFile } from '@wharf/archives/extraction.ts'
import type { PackageManifest } from '@wharf/archives/manifest.ts'
import type { Tx } from '@wharf/database/database.ts'
import type { JobContext } from '../../jobs/definition.ts'
import type { BackupStorageDriver } from '../backup-storage/driver.ts'
import type { PackageRow } from './store.ts'

/** A package that has just been put on backup storage, before anybody hears of it. */
export interface StoredPackage {
  readonly row: PackageRow
  readonly manifest: PackageManifest | null
  readonly md5: string
  readonly driver: BackupStorageDriver
  /** Gives the data of these files, named relative to wharf.json, to whoever takes it. */
  extract(paths: readonly string[], take: TakeFile): Promise<void>
}

export interface Installation {
  readonly row: PackageRow
  readonly hostUuid: string
  /** As the caller gave it and the package's own schema allows it. */
  readonly config: unknown
}

/**
 * What packages of one type are to another resource, beyond being kept and installed. They lie on backup storage only.
 * Whatever takes a context is part of a step or of its way back, and may happen twice.
 */
export interface PackageKind {
  readonly type: string
  /** In the commit that makes the record: throws when there may not be another. */
  claim(tx: Tx, row: PackageRow): Promise<void>
  /** What comes back is remembered for `stored`. */
  unpack(context: JobContext, stored: StoredPackage): Promise<object>
  /** Of what `unpack` has made, everything; also when the package goes. */
  removeUnpacked(context: JobContext, row: PackageRow): Promise<void>
  /** In the commit that makes the package Uploaded. */
  stored(tx: Tx, row: PackageRow, unpacked: object): Promise<void>

  /** What can be refused before anything is done. */
  checkInstallation(installation: Installation): Promise<void>
  install(context: JobContext, installation: Installation): Promise<void>
  /** In the commit that makes the package Installed. */
  installed(tx: Tx, row: PackageRow): Promise<void>
  /** Also the way back of `install`. */
  uninstall(context: JobContext, row: PackageRow): Promise<void>

  /** The hosts that have something of the package, besides the one that it is installed on. */
  hostsOf(row: PackageRow, from?: Tx): Promise<readonly string[]>
  /** Before the commit of `refuseInUse`, outside of any transaction: forgets what is no longer there. */
  forgetVanished(row: PackageRow): Promise<void>
  /** In the commit that begins to uninstall or delete it. */
  refuseInUse(tx: Tx, row: PackageRow, doing: 'uninstall' | 'delete'): Promise<void>
  /** Takes away everything that runs by the package. */
  removeAll(context: JobContext, row: PackageRow): Promise<void>
  /** In the commit that deletes the record, before it goes. */
  deleted(tx: Tx, row: PackageRow): Promise<void>
}
