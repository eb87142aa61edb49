import { type Language, useLanguage } from './language.tsx'

/** The same messages in the other language; a missing one is a type error. */
type Same<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Same<T[K]> }

export interface Translated<T> {
  readonly en: T
  readonly zh: Same<T>
}

/** The messages of a page in both languages. A message with parameters is a function. */
export const defineMessages = <const T extends object>(words: {
  readonly en: T
  readonly zh: Same<T>
}): Translated<T> => words

export function useMessages<T>(words: Translated<T>): Same<T> {
  const { language } = useLanguage()
  return (words as Readonly<Record<Language, Same<T>>>)[language]
}
