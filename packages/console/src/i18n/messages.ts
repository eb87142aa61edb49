/** The same messages in the other language; a missing one is a type error. */
export type Translation<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Translation<T[K]> }

export interface Translated<T> {
  readonly en: T
  readonly zh: Translation<T>
}

/** The messages of a page in both languages. A message with parameters is a function. */
export const defineMessages = <const T extends object>(words: {
  readonly en: T
  readonly zh: Translation<T>
}): Translated<T> => words
