interface Limits {
  readonly maxReadBytes: number
  /** Larger entries are skipped. */
  readonly maxEntryBytes: number
}

export interface TarEntry {
  readonly name: string
  /** Valid until the next entry is read. */
  readonly text: () => Promise<string>
}

const block = 512

/** The small regular files of a tar, in order. Ends at invalid data or after `maxReadBytes`. */
export async function* entriesOf(stream: ReadableStream<Uint8Array>, limits: Limits): AsyncGenerator<TarEntry> {
  const bytes = new Reading(stream)
  try {
    while (bytes.readBytes < limits.maxReadBytes) {
      const header = await bytes.take(block)
      if (header === undefined || textIn(header, 257, 5) !== 'ustar') return
      const sizeBytes = Number.parseInt(textIn(header, 124, 12), 8)
      if (!Number.isSafeInteger(sizeBytes)) return
      const isPlain = header[156] === 0x30 || header[156] === 0
      const paddedBytes = Math.ceil(sizeBytes / block) * block
      if (!isPlain || sizeBytes > limits.maxEntryBytes) {
        if (!(await bytes.skip(Math.min(paddedBytes, limits.maxReadBytes)))) return
        continue
      }
      const content = await bytes.take(paddedBytes)
      if (content === undefined) return
      const name = [textIn(header, 345, 155), textIn(header, 0, 100)].filter(Boolean).join('/')
      yield { name, text: async () => new TextDecoder().decode(content.subarray(0, sizeBytes)) }
    }
  } finally {
    await bytes.cancel()
  }
}

const textIn = (bytes: Uint8Array, from: number, length: number): string =>
  new TextDecoder()
    .decode(bytes.subarray(from, from + length))
    .replace(/\0.*$/s, '')
    .trim()

class Reading {
  readBytes = 0
  #kept = new Uint8Array()
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  /** Undefined if fewer bytes are left. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = []
    let missing = count
    while (missing > 0) {
      if (this.#kept.length === 0 && !(await this.#fill())) return undefined
      const chunk = this.#kept.subarray(0, missing)
      this.#kept = this.#kept.subarray(chunk.length)
      missing -= chunk.length
      chunks.push(chunk)
    }
    return joined(chunks, count)
  }

  async skip(count: number): Promise<boolean> {
    let missing = count
    while (missing > 0) {
      if (this.#kept.length === 0 && !(await this.#fill())) return false
      const passed = Math.min(missing, this.#kept.length)
      this.#kept = this.#kept.subarray(passed)
      missing -= passed
    }
    return true
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {})
  }

  async #fill(): Promise<boolean> {
    const { value } = await this.#reader.read()
    if (value === undefined) return false
    this.#kept = value as Uint8Array<ArrayBuffer>
    this.readBytes += value.length
    return true
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
