import { useFormat } from '../../i18n/format.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import type { UploadItem } from './upload-queue.ts'

/** `12 MiB of 200 MiB · 3.1 MiB/s · 1 min left` */
export function useProgressText(): (
  item: Pick<UploadItem, 'sentBytes' | 'totalBytes'> & Partial<UploadItem>,
) => string {
  const t = useMessages(messages)
  const format = useFormat()
  return ({ sentBytes, totalBytes, bytesPerSecond, secondsLeft }) =>
    [
      t.of(format.bytes(sentBytes), format.bytes(totalBytes)),
      bytesPerSecond !== undefined && format.rate(bytesPerSecond),
      secondsLeft !== undefined && t.left(format.seconds(Math.ceil(secondsLeft))),
    ]
      .filter(Boolean)
      .join(' · ')
}

/** The totals of several uploads. */
export function together(
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
