import type { UploadItem } from './upload-queue.ts'

export interface UploadProgress {
  /** Undefined until the server has responded. */
  readonly sentBytes: number | undefined
  readonly totalBytes: number
  readonly bytesPerSecond?: number | undefined
  readonly secondsLeft?: number | undefined
}

/** The totals of several uploads; the bytes are unknown while one of those that are being sent is unknown. */
export function totalProgress(items: readonly UploadItem[]): UploadProgress {
  const sum = (of: (item: UploadItem) => number): number => items.reduce((total, item) => total + of(item), 0)
  const rate = sum(({ bytesPerSecond = 0 }) => bytesPerSecond)
  const sentBytes = sum((item) => item.sentBytes ?? 0)
  const totalBytes = sum((item) => item.totalBytes)
  if (items.some((item) => item.state === 'sending' && item.sentBytes === undefined))
    return { sentBytes: undefined, totalBytes }
  const known = rate > 0 ? { bytesPerSecond: rate, secondsLeft: (totalBytes - sentBytes) / rate } : {}
  return { sentBytes, totalBytes, ...known }
}

export const percentOf = ({ sentBytes = 0, totalBytes }: UploadProgress): number =>
  totalBytes === 0 ? 100 : Math.floor((sentBytes / totalBytes) * 100)
