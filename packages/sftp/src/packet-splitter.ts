/** OpenSSH sends at most 256 KiB. The text of a login shell reads as a larger length, and is rejected. */
export const maxPacketBytes = 1024 * 1024

const lengthBytes = 4

/** Splits a stream into packets: a length, then that many bytes. */
export class PacketSplitter {
  #chunks: Buffer[] = []
  #bufferedBytes = 0

  /** The complete packets, without their lengths. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#bufferedBytes += chunk.length
    const packets: Buffer[] = []
    for (let packet = this.#next(); packet !== undefined; packet = this.#next()) packets.push(packet)
    return packets
  }

  #next(): Buffer | undefined {
    if (this.#bufferedBytes < lengthBytes) return undefined
    const length = this.#length()
    if (length < 1 || length > maxPacketBytes)
      throw new RangeError('the server sent something that is not an SFTP packet')
    if (this.#bufferedBytes < lengthBytes + length) return undefined
    return this.#take(lengthBytes + length).subarray(lengthBytes)
  }

  #length(): number {
    if (this.#first.length < lengthBytes) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#first.readUInt32BE()
  }

  /** Copies only packets that span several chunks. */
  #take(bytes: number): Buffer {
    this.#bufferedBytes -= bytes
    if (this.#first.length >= bytes) return this.#cut(bytes)
    const whole = Buffer.allocUnsafe(bytes)
    for (let filled = 0; filled < bytes; ) filled += this.#cut(bytes - filled).copy(whole, filled)
    return whole
  }

  /** At most this many bytes of the first chunk. */
  #cut(bytes: number): Buffer {
    const first = this.#first
    if (first.length <= bytes) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(bytes)
    return first.subarray(0, bytes)
  }

  get #first(): Buffer {
    return this.#chunks[0] ?? Buffer.alloc(0)
  }
}
