import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { untilAborted } from '@wharf/platform/abort.ts'
import { Channel, maxPacketBytes, type SendBytes, windowBytes } from './channel.ts'
import { controlMessage, MessageReader, MessageSplitter, message, messageType } from './channel-messages.ts'

/** Of the control socket itself, see PROTOCOL.mux of OpenSSH. */
const greeting = 1
const version = 4
const proxyRequest = 0x1000000f
const proxyReply = 0x8000000f
const requestId = 0

/**
 * The channels of the connection that an ssh process has, through its control socket. In proxy mode the socket carries the
 * messages of the connection protocol, which ssh encrypts and passes on. A program on the host is then a few messages,
 * rather than another ssh process.
 */
export class Channels {
  /** When the process that has the connection closes its control socket. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #messages = new MessageSplitter()
  readonly #opening = new Map<number, PromiseWithResolvers<Channel | undefined>>()
  readonly #channels = new Map<number, Channel>()
  readonly #proxied = Promise.withResolvers<void>()
  #hasProxy = false
  #nextId = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    // the end of the socket follows
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  static async connect(controlPath: string): Promise<Channels> {
    const socket = connect(controlPath)
    await once(socket, 'connect')
    const channels = new Channels(socket)
    socket.write(controlMessage(greeting, version))
    socket.write(controlMessage(proxyRequest, requestId))
    void channels.closed.then(() => channels.#proxied.reject(new Error('ssh has closed its control socket')))
    await channels.#proxied.promise
    channels.#updateReference()
    return channels
  }

  /** Runs a command for the login shell of the host; undefined when the host allows no further program on the connection. */
  async open(command: string, signal: AbortSignal): Promise<Channel | undefined> {
    const id = this.#nextId++
    const opening = Promise.withResolvers<Channel | undefined>()
    this.#opening.set(id, opening)
    this.#updateReference()
    this.#send([message(messageType.channelOpen, 'session', id, windowBytes, maxPacketBytes)])
    try {
      const channel = await untilAborted(signal, opening.promise)
      channel?.start(command)
      return channel
    } catch (error) {
      void opening.promise.then(
        (channel) => channel?.kill(),
        () => {},
      )
      throw error
    }
  }

  /** Ends what runs in the channels. */
  close(failure: Error): void {
    this.#socket.destroy()
    for (const { reject } of this.#opening.values()) reject(failure)
    for (const channel of this.#channels.values()) channel.close()
    this.#opening.clear()
    this.#channels.clear()
  }

  #read(chunk: Buffer): void {
    try {
      for (const bytes of this.#messages.split(chunk)) {
        const fields = new MessageReader(bytes)
        if (this.#hasProxy) this.#receive(fields)
        else this.#receiveReply(fields)
      }
    } catch (error) {
      this.close(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #receiveReply(fields: MessageReader): void {
    const type = fields.number()
    if (type === greeting) return
    if (type !== proxyReply) throw new Error('ssh refuses the proxy mode of its control socket')
    this.#hasProxy = true
    this.#proxied.resolve()
  }

  #receive(fields: MessageReader): void {
    fields.byte() // the length of the padding, which is none
    const type = fields.byte()
    if (type < messageType.channelOpenConfirmation || type > messageType.channelFailure) return
    const id = fields.number()
    const opening = this.#opening.get(id)
    if (opening === undefined) this.#channels.get(id)?.receive(type, fields)
    else opening.resolve(type === messageType.channelOpenConfirmation ? this.#opened(id, fields) : undefined)
    this.#opening.delete(id)
    this.#updateReference()
  }

  #opened(id: number, fields: MessageReader): Channel {
    const channel = new Channel(this.#send, {
      remoteId: fields.number(),
      window: fields.number(),
      maxPacket: fields.number(),
    })
    this.#channels.set(id, channel)
    void channel.ended.then(() => {
      this.#channels.delete(id)
      this.#updateReference()
    })
    return channel
  }

  readonly #send: SendBytes = (pieces, sent) => {
    this.#socket.cork()
    for (const [index, piece] of pieces.entries())
      this.#socket.write(piece, index === pieces.length - 1 ? sent : undefined)
    this.#socket.uncork()
  }

  /** An idle connection does not keep this process running. */
  #updateReference(): void {
    if (this.#opening.size + this.#channels.size > 0) this.#socket.ref()
    else this.#socket.unref()
  }
}
