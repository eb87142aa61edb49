import { createFormat } from './format.ts'
import { useLocale } from './language.tsx'
import { useTimeZone } from './time-zone.ts'

const formats = new Map<string, ReturnType<typeof createFormat>>()

/** Formats sizes, rates and times in the chosen language and time zone. */
export function useFormat() {
  const locale = useLocale()
  const zone = useTimeZone()
  // shared by all components: creating one takes about a millisecond, and every cell of a table has formats
  const key = `${locale} ${zone}`
  const format = formats.get(key) ?? createFormat(locale, zone)
  formats.set(key, format)
  return format
}
