import { type FileIdentity, readFileKey } from './file-key.ts'
import type { Destination, UploadItem } from './upload-queue.ts'

/** An upload that no tab continues: its tab was closed, or the machine was switched off. */
export interface UnfinishedUpload {
  readonly packageUuid: string
  readonly createDate: string | undefined
  readonly fileName: string
  readonly file: Pick<FileIdentity, 'size' | 'lastModified'>
  readonly key: string
  readonly destination: Destination
  /** The path of the tus upload, whose offset is the number of bytes received. */
  readonly uploadPath: string
}

interface TaggedPackage {
  readonly uuid: string
  readonly createDate: string | undefined
  readonly tags: readonly string[]
}

/** Reads the tags of a package; undefined for uploads of other users, whose URL is hidden. */
export function parseUnfinishedUpload({ uuid, createDate, tags }: TaggedPackage): UnfinishedUpload | undefined {
  const tagOf = (pattern: string): string =>
    tags.find((tag) => tag.startsWith(`${pattern}::`))?.slice(pattern.length + 2) ?? ''
  const key = tagOf('uploadSoftwarePackage')
  const file = readFileKey(key)
  const uploadPath = /\/v1\/uploads\/.+$/.exec(tagOf('uploadUrl'))?.[0]
  const config = parsed(tagOf('uploadConfig'))
  if (file === undefined || uploadPath === undefined || config === undefined) return undefined
  const { url, ...destination } = config
  const fileName = decoded(url.replace(/^upload:\/\//, ''))
  return { packageUuid: uuid, createDate, fileName, file, key, destination, uploadPath }
}

/** True while this tab sends it; until the server has responded, the file identifies it. */
export const isInQueue = (
  { packageUuid, key }: Pick<UnfinishedUpload, 'packageUuid' | 'key'>,
  queue: readonly Pick<UploadItem, 'packageUuid' | 'key' | 'state'>[],
): boolean =>
  queue.some((item) =>
    item.packageUuid === undefined ? item.key === key && item.state !== 'failed' : item.packageUuid === packageUuid,
  )

function parsed(text: string): (Destination & { url: string }) | undefined {
  try {
    return JSON.parse(text) as Destination & { url: string }
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
