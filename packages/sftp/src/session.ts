import type { Readable, Writable } from 'node:stream'
import { PacketSplitter } from './packet-splitter.ts'
import { PacketReader, packetType, statusCode, string, uint32 } from './packets.ts'

/** The status that the server returned for a failed request. */
export class SftpStatus extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 300) || `status ${code}`)
    this.code = code
  }
}

export interface Reply {
  readonly type: number
  readonly values: PacketReader
}

interface PendingReply {
  resolve(reply: Reply): void
  reject(error: unknown): void
}

/** Requests and replies on one channel. Many can be in flight; a reply has the number of its request. */
export class SftpSession {
  readonly #input: Writable
  readonly #splitter = new PacketSplitter()
  readonly #pending = new Map<number, PendingReply>()
  readonly #extensions = new Set<string>()
  readonly #onBusy: (isBusy: boolean) => void
  #next = 0
  #ended: { readonly error: unknown } | undefined

  /** Calls `onBusy` when the first request is sent and when the last reply has arrived. */
  constructor(input: Writable, output: Readable, onBusy: (isBusy: boolean) => void = () => {}) {
    this.#input = input
    this.#onBusy = onBusy
    output.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** Exchanges the version and the extensions. */
  async negotiate(): Promise<void> {
    const replied = this.#wait(0)
    this.#send(packetType.init, [uint32(3)])
    const { type, values } = await replied
    if (type !== packetType.version || values.uint32() !== 3) throw new Error('it does not support version 3 of SFTP')
    while (!values.isAtEnd) {
      this.#extensions.add(String(values.string()))
      values.string()
    }
    this.#next = 1
  }

  offers(extension: string): boolean {
    return this.#extensions.has(extension)
  }

  /** Throws an `SftpStatus` when the server refuses. */
  async request(type: number, ...values: readonly Buffer[]): Promise<Reply> {
    const id = this.#next
    this.#next = (this.#next + 1) >>> 0
    const replied = this.#wait(id)
    if (this.#ended === undefined) this.#send(type, [uint32(id), ...values])
    const reply = await replied
    if (reply.type !== packetType.status) return reply
    const code = reply.values.uint32()
    if (code === statusCode.ok) return reply
    throw new SftpStatus(code, reply.values.isAtEnd ? '' : String(reply.values.string()))
  }

  extended(name: string, ...values: readonly Buffer[]): Promise<Reply> {
    return this.request(packetType.extended, string(name), ...values)
  }

  /** Pending and later requests fail with this error. */
  end(error: unknown): void {
    this.#ended ??= { error }
    for (const { reject } of this.#pending.values()) reject(this.#ended.error)
    if (this.#pending.size > 0) this.#onBusy(false)
    this.#pending.clear()
  }

  #wait(id: number): Promise<Reply> {
    const ended = this.#ended
    if (ended) return Promise.reject(ended.error)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    if (this.#pending.size === 0) this.#onBusy(true)
    this.#pending.set(id, { resolve, reject })
    return promise
  }

  #send(type: number, values: readonly Buffer[]): void {
    const bodyBytes = values.reduce((sum, { length }) => sum + length, 1)
    this.#input.cork()
    this.#input.write(Buffer.concat([uint32(bodyBytes), Buffer.of(type)]))
    for (const value of values) this.#input.write(value)
    process.nextTick(() => this.#input.uncork())
  }

  #receive(chunk: Buffer): void {
    if (this.#ended) return
    try {
      for (const packet of this.#splitter.push(chunk)) this.#dispatch(packet)
    } catch (error) {
      this.end(error)
      this.#input.destroy()
    }
  }

  #dispatch(packet: Buffer): void {
    const type = packet[0] ?? 0
    const isVersion = type === packetType.version
    const id = isVersion ? 0 : packet.readUInt32BE(1)
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.resolve({ type, values: new PacketReader(packet.subarray(isVersion ? 1 : 5)) })
    if (this.#pending.size === 0) this.#onBusy(false)
  }
}
