import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { BlockList } from 'node:net'
import { multicastPort } from '../service-type.ts'
import type { Link } from './links.ts'

export type Family = 4 | 6

/** RFC 6762, 3 and 11 */
const groups = { 4: '224.0.0.251', 6: 'ff02::fb' } as const
const hopLimit = 255
/** A thousand hosts may respond to one query at once. */
const receiveBufferBytes = 1024 * 1024

export interface PortEvents {
  message(bytes: Buffer, from: RemoteInfo): void
  /** The socket failed to open, or was closed by an error. */
  failed(error: Error): void
}

/**
 * A multicast DNS socket for one link and address family. It is bound to the group address, so that it does not receive
 * unicast messages for other programs.
 */
export class Port {
  readonly #socket: Socket
  readonly #link: Link
  readonly #family: Family
  readonly #port: number
  readonly #events: PortEvents
  readonly #neighbours = new BlockList()
  #isOpen = true

  private constructor(link: Link, family: Family, events: PortEvents, port: number) {
    this.#link = link
    this.#family = family
    this.#port = port
    this.#events = events
    for (const network of link.networks) {
      const [address = '', prefix] = network.split('/')
      if (!address.includes(':')) this.#neighbours.addSubnet(address, Number(prefix), 'ipv4')
    }
    const type = family === 4 ? 'udp4' : 'udp6'
    this.#socket = createSocket({ type, reuseAddr: true, ipv6Only: family === 6, recvBufferSize: receiveBufferBytes })
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('message', (bytes, from) => {
      if (this.#isNeighbour(from.address)) events.message(bytes, from)
    })
  }

  /** Undefined when it fails to open; `events.failed` receives the reason. */
  static async open(link: Link, family: Family, events: PortEvents, number = multicastPort): Promise<Port | undefined> {
    const port = new Port(link, family, events, number)
    await port.#bind()
    return port.#isOpen ? port : undefined
  }

  async #bind(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.once('listening', resolve).once('close', resolve)
      this.#socket.bind({ port: this.#port, address: this.#group, exclusive: true })
    })
    if (!this.#isOpen) return
    try {
      this.#socket.setMulticastTTL(hopLimit)
      this.#socket.setMulticastLoopback(true)
      this.#socket.setMulticastInterface(this.#interface)
      this.join()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Joins again, because a recreated interface loses its membership; an existing membership is not an error. */
  join(): void {
    try {
      this.#socket.addMembership(groups[this.#family], this.#interface)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') this.#fail(error as Error)
    }
  }

  /** Sends to the group, or to one address. Send failures are ignored: UDP is lossy anyway. */
  send(bytes: Buffer, to?: RemoteInfo): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isOpen) return resolve()
      this.#socket.send(bytes, to?.port ?? this.#port, to?.address ?? this.#group, () => resolve())
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#socket.close()
  }

  get #group(): string {
    return this.#family === 4 ? groups[4] : `${groups[6]}%${this.#link.name}`
  }

  get #interface(): string {
    return this.#family === 4 ? (this.#link.ipv4[0] ?? '') : `::%${this.#link.name}`
  }

  /** Linux delivers IPv4 messages of every link; the zone of the group binds IPv6 sockets to one link. */
  #isNeighbour(address: string): boolean {
    return this.#family === 6 || this.#neighbours.check(address, 'ipv4')
  }

  #fail(error: Error): void {
    if (!this.#isOpen) return
    this.close()
    this.#events.failed(error)
  }
}
