import type { RemoteInfo } from 'node:dgram'
import type { Message } from '../dns/message.ts'
import { MalformedMessage, readMessage } from '../dns/read-message.ts'
import { writeMessage } from '../dns/write-message.ts'
import { multicastPort } from '../service-type.ts'
import { currentLinks, type InterfaceChoice, type Link } from './links.ts'
import { type Family, Port } from './port.ts'
import { TimeBudget } from './time-budget.ts'

export interface Sender {
  readonly link: Link
  /** RFC 6762, 6.7: false for a one-shot query from another port. */
  readonly isMulticast: boolean
  /** Sends a unicast response. */
  reply(message: Partial<Message>): void
}

export interface PortsOptions {
  readonly interfaces: InterfaceChoice
  message(message: Message, from: Sender): void
  /** The link is usable with these addresses. */
  up(link: Link): void
  down(name: string): void
  /** The link is not usable; reported once until it recovers. */
  trouble?(name: string, error: Error): void
  /** Isolates tests from each other. */
  readonly port?: number
}

/** How often interfaces and addresses are re-read. */
const refreshMs = 2000
/** The share of one processor for untrusted messages. */
const maxCpuShare = 0.2

/** Multicast DNS on every selected link while it is up. */
export class MulticastPorts {
  readonly #options: PortsOptions
  readonly #budget = new TimeBudget(maxCpuShare)
  readonly #open = new Map<string, { link: Link; ports: Port[] }>()
  readonly #failedLinks = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #refreshing: Promise<void> | undefined
  #isClosed = false

  constructor(options: PortsOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#refresh(), refreshMs)
    await this.#refresh()
  }

  /** Sends to the group on this link, in both address families. */
  async send(name: string, message: Partial<Message>): Promise<void> {
    await this.#guard(name, async () => {
      const bytes = writeMessage(message)
      await Promise.all((this.#open.get(name)?.ports ?? []).map((port) => port.send(bytes)))
    })
  }

  /** A received message must not end the process: failures are reported and the message is dropped. */
  async #guard(name: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.trouble?.(name, error as Error)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#refreshing
    for (const name of this.#open.keys()) this.#close(name)
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#updateLinks().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #updateLinks(): Promise<void> {
    if (this.#isClosed) return
    const links = currentLinks(this.#options.interfaces)
    for (const [name, { link, ports }] of this.#open) {
      const isSame = links.some((now) => now.name === name && now.signature === link.signature)
      if (isSame) for (const port of ports) port.join()
      if (!isSame || ports.some((port) => !port.isOpen)) this.#close(name)
    }
    await Promise.all(links.filter(({ name }) => !this.#open.has(name)).map((link) => this.#openLink(link)))
  }

  async #openLink(link: Link): Promise<void> {
    const families = [...(link.ipv4.length > 0 ? [4] : []), ...(link.ipv6.length > 0 ? [6] : [])] as Family[]
    const opened = await Promise.all(families.map((family) => this.#openPort(link, family)))
    const ports = opened.filter((port) => port !== undefined)
    if (this.#isClosed) for (const port of ports) port.close()
    if (this.#isClosed || ports.length === 0) return
    if (ports.length === families.length) this.#failedLinks.delete(link.name)
    this.#open.set(link.name, { link, ports })
    this.#options.up(link)
  }

  #openPort(link: Link, family: Family): Promise<Port | undefined> {
    const { port = multicastPort } = this.#options
    const failed = (error: Error): void => {
      if (this.#failedLinks.has(link.name)) return
      this.#failedLinks.add(link.name)
      this.#options.trouble?.(link.name, error)
    }
    const message = (bytes: Buffer, info: RemoteInfo): void => {
      this.#budget.spend(() => this.#receive(bytes, { link, info, reply: (answer) => void opened?.send(answer, info) }))
    }
    let opened: Port | undefined
    return Port.open(link, family, { message, failed }, port).then((result) => {
      opened = result
      return result
    })
  }

  #receive(bytes: Buffer, from: { link: Link; info: RemoteInfo; reply(bytes: Buffer): void }): void {
    const { message, port = multicastPort } = this.#options
    let read: Message
    try {
      read = readMessage(bytes)
    } catch (error) {
      // any host on the network may send invalid messages
      if (error instanceof MalformedMessage) return
      throw error
    }
    const isMulticast = from.info.port === port
    const reply = (answer: Partial<Message>): void => from.reply(writeMessage(answer))
    void this.#guard(from.link.name, () => message(read, { link: from.link, isMulticast, reply }))
  }

  #close(name: string): void {
    for (const port of this.#open.get(name)?.ports ?? []) port.close()
    if (this.#open.delete(name)) this.#options.down(name)
  }
}
