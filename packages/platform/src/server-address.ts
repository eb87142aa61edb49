import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The URL of this server: the configured one, or else the one it listens at, which is set after the start. */
export class ServerAddress {
  #url: string

  constructor(publicUrl: string | undefined) {
    this.#url = publicUrl ?? ''
  }

  /** Ignored when a URL is configured. */
  listensAt(url: string): void {
    if (this.#url === '') this.#url = url
  }

  get url(): string {
    return this.#url
  }

  /** An address of this machine: the one in the URL, or else the first that is not loopback. */
  get ip(): string {
    const host = new URL(this.#url).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !/^(0\.0\.0\.0|::)$/.test(host)) return host
    return externalAddress()
  }

  /** Other machines cannot reach it. */
  get isLoopback(): boolean {
    return /^\[?(127\.|::1|localhost)/.test(new URL(this.#url).hostname)
  }
}

/** The first address of this machine that other machines may reach. */
export function externalAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const others = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
  return (others.find(({ family }) => family === 'IPv4') ?? others[0])?.address ?? '127.0.0.1'
}
