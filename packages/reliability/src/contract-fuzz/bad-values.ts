import { uuidPattern } from '@wharf/contract'

export type Schema = Readonly<Record<string, unknown>>

export interface BadValue {
  readonly rule: string
  readonly value: unknown
}

const bad = (rule: string, ...values: readonly unknown[]): BadValue[] => values.map((value) => ({ rule, value }))

/** Values that break one rule of a schema each, for a body of JSON. Values that must not be echoed contain `secret`. */
export function badValues(schema: Schema, secret: string): BadValue[] {
  if (schema.enum !== undefined) return bad('not one of its values', 'nonsense', 'Enabled\u00a0x', 5, true, {}, ['x'])
  switch (schema.type) {
    case 'string':
      return badTexts(schema, schema.writeOnly === true ? secret : 'a value that exists nowhere')
    case 'integer':
      return badNumbers(schema)
    case 'boolean':
      return bad('not a flag', 'true', 1, {}, ['x'])
    case 'array':
      return badLists(schema, secret)
    case 'object':
      return bad('not an object', 'x', 5, true, ['x'])
    default:
      return []
  }
}

function badTexts(schema: Schema, text: string): BadValue[] {
  const { maxLength, minLength, pattern } = schema as { maxLength?: number; minLength?: number; pattern?: string }
  const isVerbatim = schema['x-verbatim'] === true
  return [
    ...bad('not a text', 5, false, { text }, [text]),
    ...bad('not well-formed', `${text}\ud800`, `\udc00${text}`),
    ...(isVerbatim
      ? bad('with NUL', `${text}\0`)
      : bad('with a control character', `${text}\u0007`, `a\u0000b`, `a\u0085b`)),
    // a space is inside, so that it stays too long when it is trimmed, and can be the name of nothing
    ...(maxLength === undefined ? [] : bad('too long', `${text} `.padEnd(maxLength + 1, 'x'))),
    ...(minLength === undefined ? [] : bad('too short', 'x'.repeat(minLength - 1))),
    ...(pattern === uuidPattern
      ? bad('not a uuid', 'G'.repeat(32), 'a'.repeat(31), 'a'.repeat(33), 'g'.repeat(32), '')
      : pattern === undefined
        ? []
        : bad('not of its form', '\u00e4'.repeat(Math.max(minLength ?? 1, 1)), ':'.repeat(minLength ?? 1))),
  ]
}

function badNumbers({ minimum, maximum }: Schema): BadValue[] {
  return [
    ...bad('not a number', 'x', '5', true, {}, [5]),
    ...bad('not whole', 1.5),
    ...bad('too small', Number(minimum) - 1, -(2 ** 60)),
    ...bad('too large', Number(maximum) + 1, 1e300),
  ]
}

function badLists({ items, maxItems }: Schema, secret: string): BadValue[] {
  const one = (items as Schema).pattern === uuidPattern ? 'a'.repeat(32) : 'x'
  return [
    ...bad('not a list', 'x', 5, true, { 0: 'x' }),
    ...bad('too many', Array(Number(maxItems) + 1).fill(one)),
    ...badValues(items as Schema, secret).map(({ rule, value }) => ({ rule: `an item ${rule}`, value: [value] })),
    ...bad('an item is null', [null]),
    ...bad('a list in a list', [[one]]),
  ]
}

/** The same for a query, where everything is a text. */
export function badQueryValues(schema: Schema): BadValue[] {
  if (schema.enum !== undefined) return bad('not one of its values', 'nonsense')
  const { maxLength, pattern } = schema as { maxLength?: number; pattern?: string }
  switch (schema.type) {
    case 'integer':
      return [
        ...bad('not a number', 'x', '0x10', '1.5', ' 5', '1e3', '\u0663'),
        ...bad('too small', Number(schema.minimum) - 1),
        ...bad('too large', BigInt(Number(schema.maximum)) + 1n),
        ...bad('given twice', [1, 2]),
      ]
    case 'boolean':
      return [...bad('not a flag', 'maybe', '1', ' true'), ...bad('given twice', ['true', 'false'])]
    case 'array': {
      const { items, maxItems } = schema as { items: Schema; maxItems: number }
      return [
        ...bad('too many', Array(maxItems + 1).fill('uuid')),
        ...badQueryValues(items)
          .filter(({ rule }) => rule !== 'given twice')
          .map(({ rule, value }) => ({ rule: `an item ${rule}`, value: [value] })),
      ]
    }
    default:
      return [
        ...(schema['x-verbatim'] === true
          ? bad('with NUL', 'a\0b')
          : bad('with a control character', 'a\u0007b', 'a\u0085b')),
        ...(maxLength === undefined ? [] : bad('too long', 'x'.repeat(maxLength + 1))),
        ...(pattern === uuidPattern ? bad('not a uuid', 'G'.repeat(32), 'a'.repeat(31), 'x') : []),
        ...bad('given twice', ['x', 'y']),
      ]
  }
}
