import type { Readable } from 'node:stream'

export interface HookFile {
  /** Relative to the folder that the hook runs in. */
  readonly path: string
  /** Absent where it is unknown; then it must not be empty. */
  readonly size?: number
  /** As `cksum` prints it; absent where only the size is known. */
  readonly cksum?: string | undefined
}

export interface HookOptions {
  /** install, verify …: distinguishes hooks of a job with the same words and input. */
  readonly name: string
  /** A host runs one hook of a subject at a time; absent for the subject of the job. */
  readonly subject?: string | undefined
  /** The next owner of the job runs it again although it has ended: it changes nothing, or its output is its result. */
  readonly isRunAgain?: boolean
  /** Its files as the inspection of the package recorded them: nothing is run when they differ. */
  readonly files?: readonly HookFile[]
}

export interface RunResult {
  readonly exitCode: number
  /** The hook had ended before: this is the exit code that the host kept, without output. */
  readonly isKept?: boolean
}

export interface RunOptions {
  /**
   * For a program of a package, in a job. The host ends it when it receives no heartbeat of the server for a while, and keeps its
   * exit code until the job has recorded it, so that the next owner of the job does not run it again.
   */
  readonly hook?: HookOptions

  /** Reaches the program on standard input, then standard input ends. Secrets belong here, never into argv. */
  readonly input?: string
  /** Ends the program and everything it started, on the host. */
  readonly signal: AbortSignal
  /** The whole environment besides PATH, LANG and HOME, which are the host's; nothing of the server's is forwarded. */
  readonly environment?: Readonly<Record<string, string>>
  readonly folder?: string
  /** Every line of standard output and standard error, when it arrives. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void
}

export interface PutOptions {
  readonly signal: AbortSignal
  /** For `put`: the pieces of the stream have no other user, so their memory may be released once they are written. */
  readonly consumes?: boolean
  /** For `put`: the number of bytes, if it is known. A small file needs fewer programs on the host. */
  readonly size?: number | undefined
  /** For `put`: rejects when the bytes that were sent are not acceptable; then no file is created. */
  readonly verify?: () => Promise<unknown>
  /** For `put`: a second name, in the same folder, that the file gets together with the first. */
  readonly linkPath?: string
  /** For `put`: creates the folder of the file and its parents, which costs no further program. */
  readonly createFolders?: boolean
}

export interface Usage {
  readonly totalCapacity: number
  readonly availableCapacity: number
}

/** Where a new file would be on a host. */
export interface PathInspection {
  /** Without links. */
  readonly realPath: string
  /** The topmost of the folders that must be created for it; null for none. */
  readonly missingFolder: string | null
  /** The path exists. */
  readonly isTaken: boolean
  /** Of its file system. */
  readonly usage: Usage
}

/** How much of a host is in use; null where the host does not report it. */
export interface HostMeasurement {
  /** The root file system. */
  readonly disk: Usage
  /** The file system of the packages folder. */
  readonly packagesDisk: Usage | null
  /** The load average of one minute. */
  readonly load1: number | null
  /** Those that are online. */
  readonly processors: number | null
  readonly memory: Usage | null
}

export interface HostFacts {
  readonly hostName: string | null
  readonly sn: string | null
  readonly manufacturer: string | null
  readonly product: string | null
  readonly system: string | null
  readonly architecture: string | null
}

/**
 * Everything Wharf does to a host. Programs are lists of words, never shell text.
 * Failures are ApiErrors: HOST.1003 no connection, HOST.1004 another host key, HOST.1005 sign-in refused,
 * SoftwarePackage.1121 no space, SYS.1016 any other failure with a file.
 */
export interface HostDriver {
  /** A connection is open; it closes when the host does not answer for 10 s. */
  readonly isConnected: boolean
  /** The exit code of the program itself; a lost connection throws, and an abort throws its reason. */
  run(argv: readonly [string, ...string[]], options: RunOptions): Promise<RunResult>
  /**
   * Returns when the host has confirmed that no hook of the subject runs, for this job or an earlier one. A hook that
   * still runs, because its connection was lost, is ended.
   */
  endHooks(subject: string, options: PutOptions): Promise<void>
  /**
   * Creates a file completely or not at all, synced when this returns, in a folder that exists; with `createFolders` in any,
   * and folders that it has created stay. An existing path is SYS.1002. The source is destroyed when it fails.
   */
  put(bytes: Readable, path: string, options: PutOptions): Promise<void>
  /**
   * Like `put`, for a file on this node: if possible without copying, so that both names are one file until the first is
   * removed. Only the driver of this node implements it.
   */
  adopt?(file: string, path: string, options: PutOptions): Promise<void>
  /** The bytes of a file. Errors arrive through the stream. */
  get(path: string, options: PutOptions): Readable
  /** Of the file system of the path or its nearest existing parent. */
  usage(path: string, options: PutOptions): Promise<Usage>
  /** In one program. A path that leads through something that is not a folder is SoftwarePackage.1131. */
  inspectPath(path: string, options: PutOptions): Promise<PathInspection>
  facts(options: PutOptions): Promise<HostFacts>
  /** In one program. Without a packages folder only the root file system is measured. */
  measure(packagesPath: string | null, options: PutOptions): Promise<HostMeasurement>
  /** A file or a whole folder; one that does not exist is not an error. */
  remove(path: string, options: PutOptions): Promise<void>
  /** A cheap check that the host answers. */
  ping(options: PutOptions): Promise<void>
  close(): Promise<void>
}
