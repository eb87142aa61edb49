/** Winkler's weight: each of up to four equal first characters adds a tenth of what is missing to 1. */
const maxPrefix = 4
const prefixWeight = 0.1

/**
 * The Jaro–Winkler similarity of two texts, from 0 to 1 for equal ones; they are compared by UTF-16 units, and case
 * counts. Returns 0 as soon as `atLeast` cannot be reached, which rules most sentences out after a few characters.
 */
export function similarityOf(a: string, b: string, atLeast = 0): number {
  if (a === b) return 1
  const bonus = prefixWeight * commonPrefix(a, b)
  const needed = neededMatches(a.length, b.length, (atLeast - bonus) / (1 - bonus))
  if (needed > Math.min(a.length, b.length)) return 0
  const reach = Math.max(Math.floor(Math.max(a.length, b.length) / 2) - 1, 0)
  const isTaken = new Uint8Array(b.length)
  const matched: number[] = []
  for (let at = 0; at < a.length; at++) {
    if (matched.length + a.length - at < needed) return 0
    const char = a.charCodeAt(at)
    const last = Math.min(b.length - 1, at + reach)
    for (let other = Math.max(0, at - reach); other <= last; other++) {
      if (isTaken[other] === 1 || b.charCodeAt(other) !== char) continue
      isTaken[other] = 1
      matched.push(char)
      break
    }
  }
  if (matched.length === 0) return 0
  const transposed = countTransposed(matched, b, isTaken)
  const matches = matched.length
  const jaro = (matches / a.length + matches / b.length + (matches - transposed / 2) / matches) / 3
  return jaro + bonus * (1 - jaro)
}

function commonPrefix(a: string, b: string): number {
  let prefix = 0
  while (prefix < maxPrefix && prefix < a.length && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++
  return prefix
}

/** How many characters must match for this Jaro similarity, whatever their order. */
function neededMatches(lengthA: number, lengthB: number, jaro: number): number {
  // rounding must never exclude a text that is exactly at the limit
  return Math.ceil(((3 * jaro - 1) * lengthA * lengthB) / (lengthA + lengthB) - 1e-6)
}

function countTransposed(matched: readonly number[], b: string, isTaken: Uint8Array): number {
  let transposed = 0
  let index = 0
  for (let at = 0; at < b.length; at++) {
    if (isTaken[at] === 1 && b.charCodeAt(at) !== matched[index++]) transposed++
  }
  return transposed
}
