import type { Operation } from '@wharf/contract'
import type { Cli } from '../../cli.ts'
import { givenText } from '../../given-text.ts'
import { parseJson } from '../../json-text.ts'
import { UsageError } from '../../refusals.ts'

interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** `name=blue`, `privateKey@file`; each value becomes what the contract says about its field. */
export async function fieldsFrom(
  cli: Cli,
  operation: Operation,
  words: readonly string[],
): Promise<Record<string, unknown>> {
  const schemas = operation.fields as Readonly<Record<string, Schema>>
  const fields: Record<string, unknown> = {}
  for (const word of words) {
    const [, name = '', how, rest = ''] = /^(\w+)([=@])(.*)$/s.exec(word) ?? []
    if (how === undefined) throw new UsageError(`a field is given as field=value, not ${word}`)
    const text = how === '@' ? await givenText(cli, `@${rest}`) : rest
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (schema?.type === 'array') {
      const before = (fields[name] as unknown[] | undefined) ?? []
      fields[name] = text.startsWith('[')
        ? asDeclared(name, { type: 'object' }, text)
        : [...before, asDeclared(name, schema.items, text)]
    } else if (Object.hasOwn(fields, name)) throw new UsageError(`${name} is given twice`)
    else fields[name] = asDeclared(name, schema, text)
  }
  return fields
}

function asDeclared(name: string, schema: Schema | undefined, text: string): unknown {
  switch (schema?.type) {
    case 'integer':
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text))) throw new UsageError(`${name} is a number, not ${text}`)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new UsageError(`${name} is true or false, not ${text}`)
      return text === 'true'
    case 'object':
      return parseJson(name, text)
    default:
      return text
  }
}
