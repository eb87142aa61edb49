import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { untilAborted } from '@wharf/platform/abort.ts'
import { Channel, maxPacketBytes, type SendBytes, windowBytes } from './channel.ts'
import {
  controlMessage,
  MessageReader,
  MessageSplitter,
  message,
  messageType,
  ProtocolError,
} from './channel-messages.ts'

/** Of the control socket itself, see PROTOCOL.mux of OpenSSH. */
const greeting = 1
const version = 4
const proxyRequest = 0x1000000f
const proxyReply = 0x8000000f
const requestId = 0

/** ssh keeps a little memory for every channel that the host has refused, until its connection ends. */
const refusedMs = 60_000

/**
 * The channels of the connection that an ssh process has, through its control socket. In proxy mode the socket carries the
 * messages of the connection protocol, which ssh encrypts and passes on. A program on the host is then a few messages,
 * rather than another ssh process.
 */
export class Channels {
  /** When the control socket is closed: by the ssh process, or for this reason. */
  readonly closed: Promise<string>
  readonly #socket: Socket
  readonly #messages = new MessageSplitter()
  readonly #opening = new Map<number, PromiseWithResolvers<Channel | undefined>>()
  readonly #channels = new Map<number, Channel>()
  readonly #proxied = Promise.withResolvers<void>()
  #hasProxy = false
  #nextId = 0
  #refusedUntil = 0
  #failure: Error | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    const { promise, resolve } = Promise.withResolvers<string>()
    this.closed = promise
    socket.on('error', (error) => resolve(error instanceof ProtocolError ? error.message : ''))
    socket.on('close', () => resolve(''))
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  static async connect(controlPath: string): Promise<Channels> {
    const socket = connect(controlPath)
    await once(socket, 'connect')
    const channels = new Channels(socket)
    socket.write(controlMessage(greeting, version))
    socket.write(controlMessage(proxyRequest, requestId))
    void channels.closed.then((reason) =>
      channels.#proxied.reject(new Error(reason || 'ssh closes its control socket')),
    )
    await channels.#proxied.promise
    channels.#updateReference()
    return channels
  }

  /** Runs a command for the login shell of the host; undefined when the host allows no further program on the connection. */
  async open(command: string, signal: AbortSignal): Promise<Channel | undefined> {
    if (this.#failure !== undefined) throw this.#failure
    if (performance.now() < this.#refusedUntil) return undefined
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
    this.#failure ??= failure
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
      if (!(error instanceof ProtocolError)) throw error
      this.#socket.destroy(error)
    }
  }

  #receiveReply(fields: MessageReader): void {
    const type = fields.number()
    if (type === greeting) return
    if (type !== proxyReply) throw new ProtocolError('ssh refuses the proxy mode of its control socket')
    this.#hasProxy = true
    this.#proxied.resolve()
  }

  #receive(fields: MessageReader): void {
    fields.byte() // the length of the padding, which is none
    const type = fields.byte()
    if (type < messageType.channelOpenConfirmation || type > messageType.channelFailure) return
    const id = fields.number()
    const opening = this.#opening.get(id)
    if (opening === undefined) return void this.#channels.get(id)?.receive(type, fields)
    if (type === messageType.channelOpenConfirmation) opening.resolve(this.#opened(id, fields))
    else {
      this.#refusedUntil = performance.now() + refusedMs
      opening.resolve(undefined)
    }
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
