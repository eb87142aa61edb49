import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/**
 * For `fc.string({ unit: anyCharacter })`. It is what fast-check's unit `binary` gives, which however makes a table of all
 * the million characters first, in every process.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates.count })
  .map((place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count))
