import type { Readable } from 'node:stream'

export interface StorageOptions {
  readonly signal: AbortSignal
}

export interface Capacity {
  readonly totalCapacity: number
  readonly availableCapacity: number
}

/**
 * Everything Wharf does to a backup storage. Paths are relative to its root and already checked.
 * Failures are ApiErrors: BS.1003 unreachable, BS.1500 refused or interrupted, SoftwarePackage.1121 no space.
 */
export interface BackupStorageDriver {
  /** Creates a file, completely or not at all, durable when this returns. An existing one is SYS.1002. */
  put(bytes: Readable, path: string, options: StorageOptions): Promise<void>
  /** Errors arrive through the stream. `start` and `end` (inclusive) select a range. */
  get(path: string, options: StorageOptions & { start?: number; end?: number }): Readable
  /** Incomplete files do not count. */
  exists(path: string, options: StorageOptions): Promise<boolean>
  /** Also removes the parts of a killed put. A file that does not exist is not an error. */
  remove(path: string, options: StorageOptions): Promise<void>
  /** Zeroes when the storage does not report it. */
  usage(options: StorageOptions): Promise<Capacity>
  /** Throws when it cannot be reached or written to. */
  check(options: StorageOptions): Promise<void>
  close(): Promise<void>
}
