import { Readable, Writable } from 'node:stream'
import { dataHeader, type MessageReader, message, messageType } from './channel-messages.ts'

/** What the host may send before it is read. */
export const windowBytes = 256 * 1024
export const maxPacketBytes = 32 * 1024
/** Output that nobody has read by then does not delay the end. */
const maxUnreadMs = 1000

type Sent = (error?: Error | null) => void

/** Sends these bytes to the host, and calls back when they have left this process, or cannot. */
export type SendBytes = (pieces: readonly Buffer[], sent?: Sent) => void

interface OpenedChannel {
  /** How the other side names the channel. */
  readonly remoteId: number
  readonly window: number
  readonly maxPacket: number
}

/** A program on a host, in a channel of an SSH connection (RFC 4254, section 5). */
export class Channel {
  readonly stdin: Writable
  readonly stdout = new ChannelOutput((bytes) => this.#grant(bytes))
  readonly stderr = new ChannelOutput((bytes) => this.#grant(bytes))
  /** After its streams have ended: its exit code, or null when it was killed or the connection is lost. */
  readonly ended: Promise<number | null>
  readonly #send: SendBytes
  readonly #remoteId: number
  readonly #maxPacket: number
  readonly #end = Promise.withResolvers<number | null>()
  /** How much the host accepts now. */
  #window: number
  /** What it does not accept yet. */
  #unsent: { readonly bytes: Buffer; readonly done: Sent } | undefined
  #exitCode: number | null = null
  /** What the host may still send. */
  #granted = windowBytes
  #readBytes = 0
  #hasSentEof = false
  #isClosed = false

  constructor(send: SendBytes, { remoteId, window, maxPacket }: OpenedChannel) {
    this.#send = send
    this.#remoteId = remoteId
    this.#window = window
    this.#maxPacket = Math.min(maxPacket, maxPacketBytes)
    this.ended = this.#end.promise
    this.stdin = new Writable({
      write: (bytes: Buffer, _encoding, done) => this.#write(bytes, done),
      final: (done) => {
        this.#sendEof()
        done()
      },
      destroy: (error, done) => {
        this.#sendEof()
        done(error)
      },
    })
    // the end of the program is the failure; the broken pipe that follows it is not
    this.stdin.on('error', () => {})
  }

  start(command: string): void {
    if (this.#isClosed) return
    this.#send([message(messageType.channelRequest, this.#remoteId, 'exec', true, command)])
  }

  kill(): void {
    if (!this.#isClosed) this.#send([message(messageType.channelClose, this.#remoteId)])
    this.close()
  }

  /** A message of the host about this channel. */
  receive(type: number, fields: MessageReader): void {
    if (this.#isClosed) return
    switch (type) {
      case messageType.channelData:
        this.#receiveOutput(this.stdout, fields.bytes())
        break
      case messageType.channelExtendedData:
        // there is one kind of it
        fields.number()
        this.#receiveOutput(this.stderr, fields.bytes())
        break
      case messageType.channelWindowAdjust:
        this.#window += fields.number()
        if (this.#unsent !== undefined) this.#write(this.#unsent.bytes, this.#unsent.done)
        break
      case messageType.channelRequest:
        this.#answer(fields.bytes().toString(), fields.flag(), fields)
        break
      case messageType.channelFailure:
        this.#fail('the host refused to start a program')
        break
      case messageType.channelEof:
        this.#endOutput()
        break
      case messageType.channelClose:
        // the answer is the same message
        this.kill()
        break
    }
  }

  /** Nothing more arrives, and nothing is sent. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#unsent = undefined
    this.stdin.destroy()
    this.#endOutput()
    const outputs = [this.stdout, this.stderr]
    // as with a local program
    for (const output of outputs) output.resume()
    const end = (): void => this.#end.resolve(this.#exitCode)
    void Promise.all(outputs.map((output) => output.finished)).then(end)
    setTimeout(end, maxUnreadMs).unref()
  }

  #answer(request: string, wantsReply: boolean, fields: MessageReader): void {
    if (request === 'exit-status') this.#exitCode = fields.number()
    // such as `keepalive@openssh.com`, for which any reply is a good one
    if (wantsReply) this.#send([message(messageType.channelFailure, this.#remoteId)])
  }

  #receiveOutput(output: ChannelOutput, bytes: Buffer): void {
    this.#granted -= bytes.length
    if (this.#granted < 0) this.#fail('the host sent more than it was allowed to')
    else if (!output.receive(bytes)) this.#fail('the host sent more after the end')
  }

  #fail(reason: string): void {
    this.stderr.receive(Buffer.from(reason))
    this.kill()
  }

  #write(bytes: Buffer, done: Sent): void {
    if (bytes.length === 0) return void done()
    if (this.#maxPacket === 0) return void this.#fail('the host accepts no input')
    let at = 0
    while (at < bytes.length) {
      const length = Math.min(this.#window, this.#maxPacket, bytes.length - at)
      if (length === 0) break
      this.#window -= length
      const piece = bytes.subarray(at, at + length)
      at += length
      this.#send([dataHeader(this.#remoteId, length), piece], at === bytes.length ? done : undefined)
    }
    this.#unsent = at < bytes.length ? { bytes: bytes.subarray(at), done } : undefined
  }

  #sendEof(): void {
    if (this.#hasSentEof || this.#isClosed) return
    this.#hasSentEof = true
    this.#unsent = undefined
    this.#send([message(messageType.channelEof, this.#remoteId)])
  }

  /** Lets the host send as much as was read. */
  #grant(bytes: number): void {
    this.#readBytes += bytes
    if (this.#readBytes < windowBytes / 2 || this.#isClosed) return
    this.#send([message(messageType.channelWindowAdjust, this.#remoteId, this.#readBytes)])
    this.#granted += this.#readBytes
    this.#readBytes = 0
  }

  #endOutput(): void {
    this.stdout.end()
    this.stderr.end()
  }
}

class ChannelOutput extends Readable {
  readonly finished = new Promise<void>((resolve) => this.once('close', resolve))
  readonly #onRead: (bytes: number) => void
  #unreadBytes = 0
  #hasEnded = false

  constructor(onRead: (bytes: number) => void) {
    super()
    this.#onRead = onRead
  }

  /** False after the end. */
  receive(bytes: Buffer): boolean {
    if (this.#hasEnded) return false
    if (this.push(bytes)) this.#onRead(bytes.length)
    else this.#unreadBytes += bytes.length
    return true
  }

  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.push(null)
  }

  override _read(): void {
    const bytes = this.#unreadBytes
    this.#unreadBytes = 0
    if (bytes > 0) this.#onRead(bytes)
  }
}
