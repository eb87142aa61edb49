import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { UploadProgress } from './upload-progress.ts'

/** `12 MiB of 200 MiB · 3.1 MiB/s · 1 min left`; only the size while the bytes on the server are unknown. */
export function useProgressText(): (progress: UploadProgress) => string {
  const t = useMessages(messages)
  const format = useFormat()
  return ({ sentBytes, totalBytes, bytesPerSecond, secondsLeft }) =>
    [
      sentBytes === undefined ? format.bytes(totalBytes) : t.of(format.bytes(sentBytes), format.bytes(totalBytes)),
      bytesPerSecond !== undefined && format.rate(bytesPerSecond),
      secondsLeft !== undefined && t.left(format.seconds(Math.ceil(secondsLeft))),
    ]
      .filter(Boolean)
      .join(' · ')
}
