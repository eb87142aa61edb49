import { RE2JS } from 're2js'

const flags = RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL
/** What the engine writes for these flags before a pattern. */
const writtenFlags = '(?s)(?i)'
/** Finding the groups of a match costs more than finding the match: instructions × characters that are worth it. */
const maxGroupWork = 250_000

/** Throws with the reason when the text is not a pattern. */
export function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, flags)
  } catch (cause) {
    // the engine's message may quote the pattern; it must be quoted as it was written
    throw new SyntaxError((cause as Error).message.replace(`\`${writtenFlags}`, '`'), { cause })
  }
}

/** The matches of the named groups of a pattern; none when the match would take too long. */
export function groupsIn(pattern: RE2JS, text: string): Readonly<Record<string, string | null>> {
  if (text.length * pattern.programSize() > maxGroupWork) return {}
  const matcher = pattern.matcher(text)
  return matcher.find() ? matcher.getNamedGroups() : {}
}
