import { useMemo } from 'react'
import { createFormat } from './format.ts'
import { useLocale } from './language.tsx'
import { useTimeZone } from './time-zone.ts'

/** Formats sizes, rates and times in the chosen language and time zone. */
export function useFormat() {
  const locale = useLocale()
  const zone = useTimeZone()
  return useMemo(() => createFormat(locale, zone), [locale, zone])
}
