import { UsageError } from './errors.ts'

/** Parses the value of an option. The error contains only the position: the text may contain secrets. */
export function parseJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { at, expected } = findSyntaxError(text) ?? { at: text.length, expected: 'a value' }
    const before = text.slice(0, at).split('\n')
    const position = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
    throw new UsageError(`${option} is not valid JSON: expected ${expected} at ${position}`)
  }
}

interface SyntaxFault {
  readonly at: number
  readonly expected: string
}

const space = /[ \t\n\r]*/y
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The position of the first error: JSON.parse reports it for some errors only. */
export function findSyntaxError(text: string): SyntaxFault | undefined {
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    at += found?.length ?? 0
    return found !== undefined
  }
  const take = (character: string): boolean => {
    skip(space)
    if (text[at] !== character) return false
    at++
    return true
  }
  const expect = (isPresent: boolean, expected: string): void => {
    if (!isPresent) throw { at, expected } satisfies SyntaxFault
  }
  const list = (end: string, item: () => void): void => {
    if (take(end)) return
    do item()
    while (take(','))
    expect(take(end), `a comma or ${end}`)
  }
  const member = (): void => {
    skip(space)
    expect(skip(string), 'a name in double quotes')
    expect(take(':'), 'a colon')
    value()
  }
  const value = (): void => {
    if (take('{')) list('}', member)
    else if (take('[')) list(']', value)
    else expect(skip(string) || skip(scalar), 'a value')
  }
  try {
    value()
    skip(space)
    expect(at === text.length, 'the end of the text')
    return undefined
  } catch (fault) {
    return fault as SyntaxFault
  }
}
