import type { DeliveryRow } from './delivery-store.ts'
import type { Language } from './platforms/chat-platform.ts'

/** From then on a reader can no longer take a message for news. */
const lateMs = 15 * 60_000

const words: Readonly<Record<Language, (time: string) => string>> = {
  en: (time) => `(late: this is of ${time})`,
  zh: (time) => `（延迟送达：消息时间为 ${time}）`,
}

/**
 * The text with its time before it, once it is late. Not between the parts of a message: the rest must be split as the
 * beginning was.
 */
export function textInTime(
  { text, createDate, partsDelivered }: Pick<DeliveryRow, 'text' | 'createDate' | 'partsDelivered'>,
  { now, language, formatTime }: { now: number; language: Language; formatTime: (ms: number) => string },
): string {
  if (partsDelivered > 0 || now - createDate <= lateMs) return text
  const line = words[language](formatTime(createDate))
  return text.startsWith(line) ? text : `${line}\n\n${text}`
}
