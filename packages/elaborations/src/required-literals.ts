/**
 * The texts that every match of a pattern contains, in lower case, for each of its alternatives: `cannot open (\S+): no
 * space` requires `cannot open ` and `: no space`. Only plain literals of the outermost level count; a pattern that is not
 * fully understood requires nothing.
 */
export function requiredLiterals(pattern: string): string[][] {
  const alternatives: string[][] = []
  let texts: string[] = []
  let run = ''
  const flush = (): void => {
    if (run !== '') texts.push(run)
    run = ''
  }
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at] ?? ''
    if (char === '|') {
      flush()
      alternatives.push(texts)
      texts = []
      at++
    } else if (char === '\\') {
      const escaped = readEscape(pattern, at)
      if (escaped === undefined) return [[]]
      if (escaped.literal === undefined) flush()
      else run += escaped.literal
      at = escaped.end
    } else if (char === '*' || char === '?' || char === '{') {
      // the character before it may be absent
      run = run.slice(0, -1)
      flush()
      at += char === '{' ? (/^\{\d+(,\d*)?\}/.exec(pattern.slice(at, at + 16))?.[0].length ?? 1) : 1
    } else if (char === '(' || char === '[') {
      flush()
      const end = char === '(' ? endOfGroup(pattern, at) : endOfClass(pattern, at)
      if (end === undefined) return [[]]
      at = end
    } else {
      if ('+.^$'.includes(char)) flush()
      else if (isFoldable(char)) run += char.toLowerCase()
      else flush()
      at++
    }
  }
  flush()
  return [...alternatives, texts]
}

/** ASCII, whose case is folded, and characters without case, such as Chinese; no halves of a surrogate pair. */
const isFoldable = (char: string): boolean =>
  char < '\u0080' || (!/[\ud800-\udfff]/.test(char) && char.toLowerCase() === char && char.toUpperCase() === char)

/** `\.` is a literal point, `\d` is not a literal. Undefined for an escape that is not understood. */
function readEscape(pattern: string, at: number): { literal?: string; end: number } | undefined {
  const rest = pattern.slice(at, at + 64)
  const special = /^\\(?:[pP]\{[^}]*\}|x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|[0-7]{1,3}|[pP]\w|[dDwWsSbBAzCafnrtv])/.exec(
    rest,
  )
  if (special) return { end: at + special[0].length }
  const char = rest[1] ?? ''
  return /^[!-/:-@[-`{-~ ]$/.test(char) ? { literal: char, end: at + 2 } : undefined
}

function endOfClass(pattern: string, from: number): number | undefined {
  let at = from + 1
  if (pattern[at] === '^') at++
  // a bracket in the first position is one of the characters
  if (pattern[at] === ']') at++
  for (; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern.startsWith('[:', at)) at = Math.max(at, pattern.indexOf(':]', at) + 1)
    else if (pattern[at] === ']') return at + 1
  }
  return undefined
}

function endOfGroup(pattern: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < pattern.length; at++) {
    const char = pattern[at]
    if (char === '\\') {
      // text between \Q and \E is not parsed as a pattern
      if (pattern[at + 1] === 'Q') return undefined
      at++
    } else if (char === '[') {
      const end = endOfClass(pattern, at)
      if (end === undefined) return undefined
      at = end - 1
    } else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return at + 1
  }
  return undefined
}

/** As a pattern that ignores case sees a text: of the letters beyond ASCII, the long s folds to an ASCII letter too. */
export const lowerCase = (text: string): string => text.toLowerCase().replaceAll('\u017f', 's')
