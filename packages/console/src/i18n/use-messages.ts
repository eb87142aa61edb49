import { type Language, useLanguage } from './language.tsx'
import type { Translated, Translation } from './messages.ts'

export function useMessages<T>(words: Translated<T>): Translation<T> {
  const { language } = useLanguage()
  return (words as Readonly<Record<Language, Translation<T>>>)[language]
}
