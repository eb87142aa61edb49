/**
 * The engines differ on a backslash before an ordinary character and at the end of a pattern. Here only `\%`, `\_`
 * and `\\` are escapes that remain; before any other character the backslash is removed, and a last one is literal.
 */
export function portableLikePattern(pattern: string): string {
  let from = 0
  let portable = ''
  for (let at = pattern.indexOf('\\'); at !== -1; at = pattern.indexOf('\\', at + 2)) {
    const next = pattern[at + 1]
    if (next === '%' || next === '_' || next === '\\') continue
    portable += pattern.slice(from, at) + (next === undefined ? '\\\\' : '')
    from = at + 1
  }
  return portable + pattern.slice(from)
}
