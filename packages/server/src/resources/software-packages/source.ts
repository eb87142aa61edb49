import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { openDownload, type Source } from '@wharf/downloads/download.ts'
import { openFileSource } from '@wharf/downloads/file-source.ts'
import { parsePackageUrl } from '@wharf/downloads/package-url.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { ReleaseService } from '../releases/service.ts'
import type { UploadService } from '../uploads/service.ts'

/** The server's settings for the sources of packages. */
export interface SourceSettings {
  readonly maxPackageBytes: number
  readonly fileRoots: readonly string[]
  readonly downloadAllow: readonly Cidr[]
  readonly caFile?: string | undefined
}

/** The source of a package: its URL, or the slices that were sent to this node. */
export type Origin = { readonly url: string } | { readonly uploadId: string; readonly fileName: string }

const readBytes = 1024 * 1024

interface SourceDeps {
  readonly settings: SourceSettings
  readonly uploads: UploadService
  readonly releases: ReleaseService
  readonly signal: AbortSignal
}

export async function openSource(origin: Origin, { settings, uploads, releases, signal }: SourceDeps): Promise<Source> {
  const maxBytes = settings.maxPackageBytes
  if ('uploadId' in origin) {
    const file = uploads.spoolFile(origin.uploadId)
    const { size } = await stat(file)
    return { stream: createReadStream(file, { highWaterMark: readBytes }), size, fileName: origin.fileName }
  }
  const parsed = parsePackageUrl(origin.url, { maxBytes })
  if (parsed.kind === 'file') return openFileSource(parsed.path, { signal, roots: settings.fileRoots, maxBytes })
  if (parsed.kind === 'release') return releases.open(parsed.reference, { signal })
  if (parsed.kind === 'upload') throw new Error('an upload has no source URL')
  const { downloadAllow: allow, caFile } = settings
  return openDownload(parsed.url, { signal, maxBytes, allow, ...(caFile === undefined ? {} : { caFile }) })
}
