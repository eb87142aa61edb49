/** More than any server sends: OpenSSH ends at 256 KiB. A shell that greets us is taken for a length beyond it. */
export const maxPacketBytes = 1024 * 1024

const lengthBytes = 4

/** Cuts what arrives into packets: a length, then that many bytes. */
export class PacketSplitter {
  #chunks: Buffer[] = []
  #held = 0

  /** The packets that are whole now, without their lengths. */
  push(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk)
    this.#held += chunk.length
    const packets: Buffer[] = []
    for (let packet = this.#next(); packet !== undefined; packet = this.#next()) packets.push(packet)
    return packets
  }

  #next(): Buffer | undefined {
    if (this.#held < lengthBytes) return undefined
    const length = this.#length()
    if (length < 1 || length > maxPacketBytes) throw new RangeError('what arrived is not a packet of SFTP')
    if (this.#held < lengthBytes + length) return undefined
    return this.#take(lengthBytes + length).subarray(lengthBytes)
  }

  #length(): number {
    if (this.#first.length < lengthBytes) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#first.readUInt32BE()
  }

  /** Copies nothing but what stands in more than one chunk. */
  #take(bytes: number): Buffer {
    this.#held -= bytes
    if (this.#first.length >= bytes) return this.#cut(bytes)
    const whole = Buffer.allocUnsafe(bytes)
    for (let filled = 0; filled < bytes; ) filled += this.#cut(bytes - filled).copy(whole, filled)
    return whole
  }

  /** So many bytes, or what the first chunk has. */
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
