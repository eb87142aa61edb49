import { Readable } from 'node:stream'
import { tarBlockBytes } from './tar/tar-header.ts'
import { tarEnd, tarHeaderOf, tarPadding } from './tar/tar-writer.ts'
import { type ZipEntry, zipEntries } from './zip/zip-entries.ts'
import { linkTarget } from './zip-inspection.ts'

/** Converts an inspected zip to a tar, since hosts may have no program for zip. Omits owners and setuid bits. */
export const zipToTar = (file: string, signal: AbortSignal): Readable =>
  Readable.from(tarOf(file, signal), { objectMode: false, signal })

async function* tarOf(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const entry of zipEntries(file, signal)) {
    const isLink = entry.kind === 'symbolic link'
    const bytes = isLink ? 0 : entry.bytes
    const target = isLink ? await linkTarget(entry) : ''
    yield tarHeaderOf({
      name: entry.name,
      type: entry.kind,
      mode: modeOf(entry),
      bytes,
      changed: entry.changed,
      target,
    })
    if (!isLink) yield* entry.content()
    if (bytes % tarBlockBytes !== 0) yield tarPadding(bytes)
  }
  yield tarEnd
}

function modeOf({ kind, isExecutable }: ZipEntry): number {
  if (kind === 'symbolic link') return 0o777
  return kind === 'folder' || isExecutable ? 0o755 : 0o644
}
