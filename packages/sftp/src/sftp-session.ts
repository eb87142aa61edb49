import type { Readable, Writable } from 'node:stream'
import { PacketSplitter } from './sftp-framing.ts'
import { PacketReader, packetType, statusCode, string, uint32 } from './sftp-packets.ts'

/** What the server says about a request that it did not fulfil. */
export class SftpStatus extends Error {
  readonly code: number

  constructor(code: number, words: string) {
    super(words.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 300) || `status ${code}`)
    this.code = code
  }
}

export interface Reply {
  readonly type: number
  readonly values: PacketReader
}

interface Waiting {
  resolve(reply: Reply): void
  reject(error: unknown): void
}

/** Requests and their replies on one channel. Many can be under way; the server answers each by its number. */
export class SftpSession {
  readonly #input: Writable
  readonly #splitter = new PacketSplitter()
  readonly #waiting = new Map<number, Waiting>()
  readonly #extensions = new Set<string>()
  readonly #onBusy: (isBusy: boolean) => void
  #next = 0
  #ended: { readonly error: unknown } | undefined

  /** `onBusy` is told when the first request is under way and when the last has its reply. */
  constructor(input: Writable, output: Readable, onBusy: (isBusy: boolean) => void = () => {}) {
    this.#input = input
    this.#onBusy = onBusy
    output.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  /** Both sides say what they speak. */
  async begin(): Promise<void> {
    const replied = this.#wait(0)
    this.#send(packetType.init, [uint32(3)])
    const { type, values } = await replied
    if (type !== packetType.version || values.uint32() !== 3) throw new Error('it does not speak version 3 of SFTP')
    while (!values.isAtEnd) {
      this.#extensions.add(String(values.string()))
      values.string()
    }
    this.#next = 1
  }

  offers(extension: string): boolean {
    return this.#extensions.has(extension)
  }

  /** The reply, or what the server says against it. */
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

  /** Nothing more will come; whoever waits, and whoever asks later, gets this error. */
  end(error: unknown): void {
    this.#ended ??= { error }
    for (const { reject } of this.#waiting.values()) reject(this.#ended.error)
    if (this.#waiting.size > 0) this.#onBusy(false)
    this.#waiting.clear()
  }

  #wait(id: number): Promise<Reply> {
    const ended = this.#ended
    if (ended) return Promise.reject(ended.error)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    if (this.#waiting.size === 0) this.#onBusy(true)
    this.#waiting.set(id, { resolve, reject })
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
      for (const packet of this.#splitter.push(chunk)) this.#handOver(packet)
    } catch (error) {
      this.end(error)
      this.#input.destroy()
    }
  }

  #handOver(packet: Buffer): void {
    const type = packet[0] ?? 0
    const isVersion = type === packetType.version
    const id = isVersion ? 0 : packet.readUInt32BE(1)
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.resolve({ type, values: new PacketReader(packet.subarray(isVersion ? 1 : 5)) })
    if (this.#waiting.size === 0) this.#onBusy(false)
  }
}
