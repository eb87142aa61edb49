import type { UploadItem } from './upload-queue.ts'

/** The totals of several uploads. */
export function totalProgress(
  items: readonly UploadItem[],
): Pick<UploadItem, 'sentBytes' | 'totalBytes'> & Partial<UploadItem> {
  const sum = (of: (item: UploadItem) => number): number => items.reduce((total, item) => total + of(item), 0)
  const rate = sum(({ bytesPerSecond = 0 }) => bytesPerSecond)
  const sentBytes = sum((item) => item.sentBytes)
  const totalBytes = sum((item) => item.totalBytes)
  const known = rate > 0 ? { bytesPerSecond: rate, secondsLeft: (totalBytes - sentBytes) / rate } : {}
  return { sentBytes, totalBytes, ...known }
}

export const percentOf = ({ sentBytes, totalBytes }: Pick<UploadItem, 'sentBytes' | 'totalBytes'>): number =>
  totalBytes === 0 ? 100 : Math.floor((sentBytes / totalBytes) * 100)
