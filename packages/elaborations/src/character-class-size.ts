/** The engine folds the case of every character of a range, up to the last that has one. */
const lastFolded = 0x1e943
/** Compiling `\p{L}` or `\w` costs as much as a range of this many characters. */
const propertySize = 3000
const wordSize = 180

const character = String.raw`\\x\{[0-9A-Fa-f]{1,6}\}|[^]`
const range = new RegExp(`(?<=(${character}))-(?=(${character}))`, 'gu')

const codeOf = (written: string): number =>
  written.startsWith('\\x{') ? Number.parseInt(written.slice(3, -1), 16) : (written.codePointAt(0) ?? 0)

const count = (pattern: string, what: RegExp): number => pattern.match(what)?.length ?? 0

/**
 * How many characters the classes of a pattern cover: `[B-\x{FFFF}]` is short, but takes milliseconds to compile. Text
 * that only resembles a range counts too.
 */
export function characterClassSize(pattern: string): number {
  let size = propertySize * count(pattern, /\\[pP]/g) + wordSize * count(pattern, /\\[wW]/g)
  for (const [, first = '', last = ''] of pattern.matchAll(range))
    size += Math.max(0, Math.min(codeOf(last), lastFolded) - codeOf(first))
  return size
}
