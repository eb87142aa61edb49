/** An archive that must be refused; `outside` is an absolute folder that nothing may be written to. */
export interface HostileArchive {
  readonly name: string
  readonly build: (outside: string) => Buffer
  /** A part of the refusal's message. */
  readonly message: string
  /** The name of the file. Default: `package.tar`. */
  readonly fileName?: string
  readonly availableBytes?: number
}
