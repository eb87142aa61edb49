import type { Operation } from '@wharf/contract'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../errors.ts'
import { readText } from '../../option-values.ts'
import { parseJson } from '../../parse-json.ts'

interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Every operation takes tags. */
const tagLists = { systemTags: { type: 'array' }, userTags: { type: 'array' } }

/** Parses `name=blue` and `privateKey@file`; the contract determines the type of each value. */
export async function parseFields(
  cli: Cli,
  operation: Operation,
  words: readonly string[],
): Promise<Record<string, unknown>> {
  const schemas: Readonly<Record<string, Schema>> = { ...tagLists, ...(operation.fields as Record<string, Schema>) }
  const fields: Record<string, unknown> = {}
  for (const word of words) {
    const [, name = '', operator, rest = ''] = /^(\w+)([=@])(.*)$/s.exec(word) ?? []
    if (operator === undefined) throw new UsageError(`invalid field ${word}: use field=value`)
    const text = operator === '@' ? await readText(cli, `@${rest}`) : rest
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (schema?.type === 'array') {
      const before = (fields[name] as unknown[] | undefined) ?? []
      fields[name] = text.startsWith('[')
        ? parseValue(name, { type: 'object' }, text)
        : [...before, parseValue(name, schema.items, text)]
    } else if (Object.hasOwn(fields, name)) throw new UsageError(`${name} is not a list; pass it once`)
    else fields[name] = parseValue(name, schema, text)
  }
  return fields
}

function parseValue(name: string, schema: Schema | undefined, text: string): unknown {
  switch (schema?.type) {
    case 'integer':
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text)))
        throw new UsageError(`invalid ${name} ${text}: expected a number`)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new UsageError(`invalid ${name} ${text}: expected true or false`)
      return text === 'true'
    case 'object':
      return parseJson(name, text)
    default:
      return text
  }
}
