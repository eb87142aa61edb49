/** An archive that must be refused; `outside` is an absolute folder that nothing may be written to. */
export interface HostileArchive {
  readonly name: string
  readonly build: (outside: string) => Buffer
  /** Somewhere in what the refusal says. */
  readonly message: string
  /** What the file is called; `package.tar` if nothing is said. */
  readonly fileName?: string
  readonly availableBytes?: number
}
