import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/**
 * For `fc.string({ unit: anyCharacter })`. Equivalent to fast-check's unit `binary`, which first builds a table of all
 * million characters in every process.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count), characterIndex)

/** The inverse mapping: without it `fc.string` generates no dangerous strings such as `__proto__`. */
function characterIndex(text: unknown): number {
  const code = typeof text === 'string' && [...text].length === 1 ? (text.codePointAt(0) ?? 0) : Number.NaN
  const afterSurrogates = code - surrogates.count
  if (code < surrogates.first) return code
  if (afterSurrogates >= surrogates.first) return afterSurrogates
  throw new Error('not a character')
}
