/** A stream that words go to. */
export interface Screen {
  write(text: string): void
  readonly isTTY: boolean
  /** Undefined where lines may be as long as they like. */
  readonly columns: number | undefined
}

/** All that a command knows of the world around it, so that tests can be that world. */
export interface Io {
  /** Data, and nothing else. */
  readonly stdout: Screen
  /** Everything that is said beside the data. */
  readonly stderr: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Where a server of this machine keeps its data, if there is one whose data we may read. */
  readonly serverData: string | undefined
  /** All of standard input. */
  readInput(): Promise<string>
  /** Standard input as it comes. */
  inputStream(): AsyncIterable<Uint8Array>
  /** Asks a person; undefined where nobody can be asked. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string | undefined>
  /** Certificates of these authorities (PEM) are accepted as well, from the next connection on. */
  trustCertificates(certificates: readonly string[]): void
  /** Any certificate is accepted, from the next connection on. */
  skipCertificateChecks(): void
  /** Ctrl-C; returns what takes the listener away. */
  onInterrupt(listener: () => void): () => void
  /** Ends the process at once. */
  exitNow(code: number): void
}
