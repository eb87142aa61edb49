import { requiredTexts } from './required-text.ts'

/** Three characters in a row, hashed; two that fall together only make a candidate more. */
const hashBits = 18
export const gramCount = 1 << hashBits
export const gramOf = (a: number, b: number, c: number): number =>
  (Math.imul(Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35), 0x27d4eb2f) >>>
    (32 - hashBits)) |
  0

/** As a pattern without case sees it: the two characters beyond ASCII that fold to an ASCII letter are that letter. */
export function folded(code: number): number {
  if (code >= 65 && code <= 90) return code + 32
  return code === 0x212a ? 107 : code === 0x17f ? 115 : code
}

function gramsOf(texts: readonly string[]): number[] {
  const grams = new Set<number>()
  for (const text of texts)
    for (let at = 2; at < text.length; at++)
      grams.add(gramOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at)))
  return [...grams]
}

/** For each alternative of the pattern the grams that it needs; none at all when one of them needs none. */
export function neededGrams(pattern: string): number[][] {
  const alternatives = requiredTexts(pattern).map(gramsOf)
  return alternatives.every((grams) => grams.length > 0) ? alternatives : []
}

/** Whether a pattern needs any three characters in a row; if not, it has to be tried on every text. */
export const hasGrams = (pattern: string): boolean => neededGrams(pattern).length > 0
