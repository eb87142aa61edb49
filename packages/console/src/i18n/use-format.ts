import { useMemo } from 'react'
import { createFormat } from './format.ts'
import { useLocale } from './language.tsx'

/** Formats sizes, rates and times in the chosen language. */
export function useFormat() {
  const locale = useLocale()
  return useMemo(() => createFormat(locale), [locale])
}
