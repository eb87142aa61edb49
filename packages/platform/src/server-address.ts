import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Where this server is reached: as the operator says, or else where it listens, which is known once it does. */
export class ServerAddress {
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

  /** An address of this machine: the one that it is reached at, or else the first that is not its own alone. */
  get ip(): string {
    const host = new URL(this.#url).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !/^(0\.0\.0\.0|::)$/.test(host)) return host
    return externalAddress()
  }

  /** Nobody else can reach it there. */
  get isLoopback(): boolean {
    return /^\[?(127\.|::1|localhost)/.test(new URL(this.#url).hostname)
  }
}

/** Of this machine: the first address that others can reach it at, as far as a machine can tell. */
export function externalAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const others = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
  return (others.find(({ family }) => family === 'IPv4') ?? others[0])?.address ?? '127.0.0.1'
}
