import type { Operation } from '@wharf/contract'
import { isOptional, uuidPattern } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'

type Fields = Record<string, unknown>

// no coercion: `"5"` is not a number and `1` is not true
const options = {
  allErrors: true,
  strict: false,
  coerceTypes: false,
  useDefaults: false,
  formats: { int64: true },
  // compiling the schema of schemas takes a tenth of a second of the first call; docs.slow.test.ts applies it
  validateSchema: false,
} satisfies Options
let ajv: Ajv2020 | undefined

/** For every server in this process; tests start many. */
const validators = new WeakMap<Operation, ValidateFunction>()

/** Checks the fields of one operation; every problem is named, not only the first. */
export function fieldCheck(operation: Operation): (fields: Fields) => Fields {
  const names = Object.keys(operation.fields)
  const required = names.filter((name) => !isOptional(operation.fields[name] as TSchema))
  const requiredText = required.filter((name) => (operation.fields[name] as Fields | undefined)?.type === 'string')
  const schema = { type: 'object', properties: operation.fields, required, additionalProperties: false }
  let validate: ValidateFunction | undefined
  const prefix = operation.structure === undefined ? '' : `${operation.structure}.`
  return (fields) => {
    validate ??= validatorOf(operation, schema)
    const errors = validate(fields) ? [] : (validate.errors ?? [])
    // the error about the name itself precedes it
    const problems = errors.filter(({ keyword }) => keyword !== 'propertyNames').map((error) => describe(error, prefix))
    for (const name of requiredText) if (fields[name] === '') problems.push(`${prefix}${name} must not be empty`)
    if (problems.length > 0) throw invalid([...new Set(problems)].join('; '))
    return fields
  }
}

/** Compiled at the first call: compiling all of them takes a third of the start. */
function validatorOf(operation: Operation, schema: object): ValidateFunction {
  ajv ??= new Ajv2020(options)
  const compiled = validators.get(operation) ?? ajv.compile(schema)
  validators.set(operation, compiled)
  return compiled
}

function describe(error: ErrorObject, prefix: string): string {
  const params = error.params as Record<string, unknown>
  if (error.keyword === 'required') return `${prefix}${params.missingProperty} is required`
  const field = `${prefix}${readPointer(error.instancePath)}`
  if (error.propertyName !== undefined)
    return `${field}: the name ${JSON.stringify(error.propertyName.slice(0, 64))} must match ${params.pattern}`
  switch (error.keyword) {
    case 'maxLength':
      return `${field} may have at most ${params.limit} characters`
    case 'minLength':
      return `${field} must have at least ${params.limit} characters`
    case 'enum':
      return `${field} must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'pattern':
      return params.pattern === uuidPattern
        ? `${field} must be a uuid of 32 hex digits`
        : `${field} must match ${params.pattern}`
    case 'type':
      return `${field} must be ${article[String(params.type)] ?? `of type ${params.type}`}`
    case 'minimum':
    case 'maximum':
      return `${field} must be ${params.comparison === '>=' ? 'at least' : 'at most'} ${params.limit}`
    case 'maxProperties':
      return `${field} may have at most ${params.limit} entries`
    case 'maxItems':
    case 'minItems':
      return `${field} must have ${error.keyword === 'maxItems' ? 'at most' : 'at least'} ${params.limit} items`
    default:
      return `${field} ${error.message ?? 'is invalid'}`
  }
}

/** A JSON pointer as a path with dots. */
const readPointer = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

const article: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
