import { entriesOf } from './tar-entries.ts'

/** The fields of wharf.json that the form uses. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly type: string
}

/** wharf.json is usually near the start of the archive; reading further slows the page down. */
const maxReadBytes = 32 * 2 ** 20
const maxManifestBytes = 2 ** 20

/** Reads wharf.json from a tar or tar.gz, to prefill name and type. Undefined if it has none. */
export async function readManifest(file: Blob): Promise<Manifest | undefined> {
  try {
    for await (const { name, text } of entriesOf(await unpacked(file), {
      maxReadBytes,
      maxEntryBytes: maxManifestBytes,
    }))
      if (/^(\.\/)?([^/]+\/)?wharf\.json$/.test(name)) return parsed(await text())
  } catch {
    // the server reports an invalid archive
  }
  return undefined
}

async function unpacked(file: Blob): Promise<ReadableStream<Uint8Array>> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isGzip = first === 0x1f && second === 0x8b
  return isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
}

function parsed(text: string): Manifest | undefined {
  const { name, version, type } = JSON.parse(text) as Partial<Record<keyof Manifest, unknown>>
  return [name, version, type].every((one) => typeof one === 'string')
    ? ({ name, version, type } as Manifest)
    : undefined
}
