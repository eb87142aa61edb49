import type { AuditExportFormat } from '@wharf/contract'

const types: Readonly<Record<AuditExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  ocsf: 'application/x-ndjson',
}

export const fileNames: Readonly<Record<AuditExportFormat, string>> = {
  ndjson: 'wharf-audit.ndjson',
  csv: 'wharf-audit.csv',
  ocsf: 'wharf-audit.ocsf.ndjson',
}

/** Chunks are small; the browser can keep a Blob of many of them on disk. */
const maxPendingBytes = 4 << 20

/** Collects a stream in a Blob. */
export async function blobOf(
  chunks: AsyncIterable<Uint8Array>,
  format: AuditExportFormat,
  onProgress: (bytes: number) => void,
): Promise<Blob> {
  const type = types[format]
  let file = new Blob([], { type })
  let pending: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    pending.push(chunk as Uint8Array<ArrayBuffer>)
    bytes += chunk.byteLength
    if (bytes - file.size < maxPendingBytes) continue
    file = new Blob([file, ...pending], { type })
    pending = []
    onProgress(bytes)
  }
  return new Blob([file, ...pending], { type })
}

/** The command that verifies the export of a period. */
export const verifyCommand = (from: string | undefined): string =>
  ['wharf audit verify', fileNames.ndjson, '--key wharf-audit.pem', ...(from ? [`--from ${from}`] : [])].join(' ')
