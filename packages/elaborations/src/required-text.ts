/**
 * The texts that every match of a pattern holds, in lower case, for each of its alternatives: `cannot open (\S+): no
 * space` holds `cannot open ` and `: no space`. Whatever is not plainly literal on the outermost level ends a text;
 * doubt gives none.
 */
export function requiredTexts(pattern: string): string[][] {
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
      // what stands before it may be absent
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
      else if (isCaseless(char)) run += char.toLowerCase()
      else flush()
      at++
    }
  }
  flush()
  return [...alternatives, texts]
}

/** ASCII, whose case we know to fold, and what has no case at all, such as Chinese; no halves of a character. */
const isCaseless = (char: string): boolean =>
  char < '\u0080' || (!/[\ud800-\udfff]/.test(char) && char.toLowerCase() === char && char.toUpperCase() === char)

/** `\.` is a literal point, `\d` is none of them. Undefined for what is better not guessed. */
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
  // a bracket that comes first is one of the characters
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
      // what stands between \Q and \E is not what it looks like
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
