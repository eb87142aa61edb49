import type { UploadItem } from './upload-queue.ts'

interface LabelTexts {
  readonly uploading: (name: string) => string
  readonly several: (count: number) => string
  readonly paused: (count: number) => string
}

type NamedItem = Pick<UploadItem, 'name' | 'state'>

/** Bytes are still to be sent; the job that processes them afterwards has its own notification. */
export const isUnsent = ({ state }: Pick<UploadItem, 'state'>): boolean =>
  state === 'waiting' || state === 'sending' || state === 'paused'

/** `Uploading a · 2 uploads are paused` */
export function activeUploadsLabel(items: readonly NamedItem[], texts: LabelTexts): string {
  const sending = items.filter(({ state }) => state !== 'paused')
  const paused = items.length - sending.length
  const [first] = sending
  const parts = [
    first && (sending.length === 1 ? texts.uploading(first.name) : texts.several(sending.length)),
    paused > 0 && texts.paused(paused),
  ]
  return parts.filter(Boolean).join(' · ')
}
