import type { DeliveryRow } from './delivery-store.ts'
import type { Language } from './platforms/chat-platform.ts'

/** After this a reader can no longer assume that a message is current. */
const lateMs = 15 * 60_000

const notices: Readonly<Record<Language, (time: string) => string>> = {
  en: (time) => `(late: this is of ${time})`,
  zh: (time) => `（延迟送达：消息时间为 ${time}）`,
}

/**
 * Adds the time of a late message before its text, but not between the parts of a message, which must be split in the same
 * way.
 */
export function withLateNotice(
  { text, createDate, partsDelivered }: Pick<DeliveryRow, 'text' | 'createDate' | 'partsDelivered'>,
  { now, language, formatTime }: { now: number; language: Language; formatTime: (ms: number) => string },
): string {
  if (partsDelivered > 0 || now - createDate <= lateMs) return text
  const line = notices[language](formatTime(createDate))
  return text.startsWith(line) ? text : `${line}\n\n${text}`
}
