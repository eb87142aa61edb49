import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
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
