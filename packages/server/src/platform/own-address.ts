/** Where this server is reached: as the operator says, or else where it listens, which is known once it does. */
export class OwnAddress {
  #url: string

  constructor(publicUrl: string | undefined) {
    this.#url = publicUrl ?? ''
  }

  /** Without effect when the operator has said otherwise. */
  listensAt(url: string): void {
    if (this.#url === '') this.#url = url
  }

  get url(): string {
    return this.#url
  }

  /** Nobody else can reach it there. */
  get isLoopback(): boolean {
    return /^\[?(127\.|::1|localhost)/.test(new URL(this.#url).hostname)
  }
}
