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
 * Failures are ApiErrors: BS.1003 not reachable, BS.1500 it refused or broke off, SoftwarePackage.1121 no space.
 */
export interface BackupStorageDriver {
  /** A new file, whole or not at all, and kept when this returns. One that is there already is SYS.1002. */
  put(bytes: Readable, path: string, options: StorageOptions): Promise<void>
  /** Errors arrive through the stream. `start` and `end` (inclusive) cut a piece out. */
  get(path: string, options: StorageOptions & { start?: number; end?: number }): Readable
  /** Whether something stands at the path; what is not whole yet does not. */
  exists(path: string, options: StorageOptions): Promise<boolean>
  /** One that is not there is fine. What a put of it has left that was killed goes too. */
  remove(path: string, options: StorageOptions): Promise<void>
  /** Zeroes where the storage does not tell. */
  usage(options: StorageOptions): Promise<Capacity>
  /** Throws when it cannot be reached or written to. */
  check(options: StorageOptions): Promise<void>
  close(): Promise<void>
}
