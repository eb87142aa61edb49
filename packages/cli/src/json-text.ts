import { UsageError } from './refusals.ts'

/** The value of an option that takes JSON. The error names the position, and nothing of the text: it may hold secrets. */
export function parseJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { at, expected } = firstFault(text) ?? { at: text.length, expected: 'a value' }
    const before = text.slice(0, at).split('\n')
    const position = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
    throw new UsageError(`${option} is not valid JSON: ${expected} is expected at ${position}`)
  }
}

interface Fault {
  readonly at: number
  readonly expected: string
}

const space = /[ \t\n\r]*/y
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Where a text stops being JSON: JSON.parse gives a position for some mistakes only. */
export function firstFault(text: string): Fault | undefined {
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    at += found?.length ?? 0
    return found !== undefined
  }
  const take = (sign: string): boolean => {
    skip(space)
    if (text[at] !== sign) return false
    at++
    return true
  }
  const need = (isThere: boolean, expected: string): void => {
    if (!isThere) throw { at, expected } satisfies Fault
  }
  const members = (end: string, one: () => void): void => {
    if (take(end)) return
    do one()
    while (take(','))
    need(take(end), `a comma or ${end}`)
  }
  const named = (): void => {
    skip(space)
    need(skip(string), 'a name in double quotes')
    need(take(':'), 'a colon')
    value()
  }
  const value = (): void => {
    if (take('{')) members('}', named)
    else if (take('[')) members(']', value)
    else need(skip(string) || skip(scalar), 'a value')
  }
  try {
    value()
    skip(space)
    need(at === text.length, 'the end')
    return undefined
  } catch (fault) {
    return fault as Fault
  }
}
