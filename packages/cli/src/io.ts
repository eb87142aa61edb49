/** Stdout or stderr. */
export interface OutputStream {
  write(text: string): void
  readonly isTTY: boolean
  /** The width of the terminal; undefined for unlimited lines. */
  readonly columns: number | undefined
  /** The height of the terminal. */
  readonly rows: number | undefined
}

/** The environment of a command; tests replace it. */
export interface Io {
  /** Data only. */
  readonly stdout: OutputStream
  /** Messages, progress and errors. */
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The data folder of a local server, if it is readable. */
  readonly serverData: string | undefined
  /** All of standard input. */
  readInput(): Promise<string>
  /** Standard input as a stream. */
  inputStream(): AsyncIterable<Uint8Array>
  /** Prompts the user; undefined when stdin is not a terminal. */
  prompt(question: string, options?: { hidden?: boolean }): Promise<string | undefined>
  /** Adds certificate authorities (PEM) for new connections. */
  trustCertificates(certificates: readonly string[]): void
  /** Accepts any certificate for new connections. */
  skipCertificateChecks(): void
  /** Listens for Ctrl-C; returns a function that removes the listener. */
  onInterrupt(listener: () => void): () => void
  /** Opens a URL in the browser of the desktop; false when there is none. */
  openUrl(url: string): Promise<boolean>
  /** Waits until the readers have received the output, so that a long one does not fill the memory. */
  flush(): Promise<void>
  /** Exits the process immediately. */
  exitNow(code: number): void
}
