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
  /** install, verify …: two hooks of a job with the same words and input differ by it. */
  readonly name: string
  /** No two hooks of a subject run at the same time on a host; absent for the subject of the job. */
  readonly subject?: string | undefined
  /** By the next owner of the job, although it has ended: it changes nothing, or its output is its result. */
  readonly isRunAgain?: boolean
  /** What it is made of, as the inspection of the package found it: nothing is run when it differs. */
  readonly files?: readonly HookFile[]
}

export interface RunResult {
  readonly exitCode: number
  /** It had ended before: this is the exit code that the host kept, and there is no output. */
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
  /** With PATH, LANG and HOME, which are the host's, the whole environment; nothing of the server's own is passed on. */
  readonly environment?: Readonly<Record<string, string>>
  readonly folder?: string
  /** Every line of standard output and standard error, as it comes. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void
}

export interface PutOptions {
  readonly signal: AbortSignal
  /** For `put`: nobody else has the pieces of the stream, so their memory may be given back once they are written. */
  readonly consumes?: boolean
}

export interface Usage {
  readonly totalCapacity: number
  readonly availableCapacity: number
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
 * SoftwarePackage.1121 no space, SYS.1016 any other trouble with a file.
 */
export interface HostDriver {
  /** A connection to it stands, and would not if the host had been silent for 10 s. */
  readonly isConnected: boolean
  /** The exit code of the program itself; a lost connection throws, and an abort throws its reason. */
  run(argv: readonly [string, ...string[]], options: RunOptions): Promise<RunResult>
  /**
   * Returns when the host has answered that no hook of the subject runs there, for this job or an earlier one. One that
   * still runs, because its connection was lost, is ended.
   */
  endHooks(subject: string, options: PutOptions): Promise<void>
  /**
   * Writes a new file, synced when this returns, into a folder that is there. It appears as a whole or not at all.
   * Something that stands at the path already is SYS.1002. The source is destroyed when it fails.
   */
  put(bytes: Readable, path: string, options: PutOptions): Promise<void>
  /**
   * As `put`, of a file on this node: where it can, without copying a byte, so that both names are one file until the
   * first is removed. Only a host that is this node has it.
   */
  adopt?(file: string, path: string, options: PutOptions): Promise<void>
  /** The bytes of a file. Errors arrive through the stream. */
  get(path: string, options: PutOptions): Readable
  /** Of the file system that holds the path or its nearest existing parent. */
  usage(path: string, options: PutOptions): Promise<Usage>
  facts(options: PutOptions): Promise<HostFacts>
  /** A file or a whole folder; one that is not there is fine. */
  remove(path: string, options: PutOptions): Promise<void>
  /** Cheap: is the host still there? */
  ping(options: PutOptions): Promise<void>
  /** Lets go of connections. */
  close(): Promise<void>
}
