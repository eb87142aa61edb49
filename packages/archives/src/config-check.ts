import { createRequire } from 'node:module'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { refuseManifest } from './refusal.ts'
import { checkParts } from './schema-parts.ts'
import { TookTooLong, withinTime } from './time-limit.ts'

export type JsonSchema = Record<string, unknown>

const draft = 'https://json-schema.org/draft/2020-12/schema'
const maxSchemaCharacters = 256 * 1024
/** A configuration is at most 128 KiB: a normal check takes a few milliseconds. */
const checkLimitMs = 500
const maxProblems = 20

// compiles only the draft's own schema: the schema of a package is interpreted, never compiled to code
const drafts = new Ajv2020({ strict: false, validateFormats: false })

/** Hundreds of modules, a fifth of a start: loaded for the first package with a schema. */
const interpreter = (): Interpreter => load('typebox/schema')
const load = createRequire(import.meta.url)
type Interpreter = typeof import('typebox/schema')
type Problem = ReturnType<Interpreter['Errors']>[1][number]

/**
 * Checks a configuration against the schema of its package before any hook runs. Refuses a schema that is not JSON Schema
 * draft 2020-12 or has external references. Problems name fields and rules, never values, which may be secrets.
 */
export function configCheck(schema: JsonSchema): (config: unknown) => string[] {
  checkSchema(schema)
  // its loading does not count for the check
  interpreter()
  const check = (config: unknown): string[] => withinTime(checkLimitMs, () => configProblems(schema, config))
  attempt(() => check({}))
  return (config) => {
    try {
      return check(config)
    } catch (error) {
      return [`the configuration cannot be checked: ${reason(error)}`]
    }
  }
}

/** The same for a schema that was checked before, without a limit of time: for a thread that has one. */
export function configProblems(schema: JsonSchema, config: unknown): string[] {
  const [fits, problems] = interpreter().Errors(schema, config)
  if (fits) return []
  // these are reported again, with all names together
  const reported = problems.filter(
    ({ keyword, schemaPath }) => !(keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')),
  )
  return reported.length === 0 ? ['config does not fit the schema'] : reported.slice(0, maxProblems).map(describe)
}

function checkSchema(schema: JsonSchema): void {
  attempt(() => {
    if (JSON.stringify(schema).length > maxSchemaCharacters)
      throw refuseManifest(`config has more than ${maxSchemaCharacters} characters`)
    if (schema.$schema !== undefined && schema.$schema !== draft)
      throw refuseManifest(`config.$schema must be ${draft}, or be left out`)
    if (!drafts.validate(draft, schema)) throw refuseManifest(`config is not a JSON Schema: ${inDraft(drafts.errors)}`)
    checkParts(schema)
  })
}

/** A schema that is nested too deeply, or refers to itself, exceeds the call stack. */
function attempt(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (error instanceof RangeError || error instanceof TookTooLong)
      throw refuseManifest(`config cannot be used to check anything: ${reason(error)}`, error)
    throw error
  }
}

const reason = (error: unknown): string =>
  error instanceof RangeError ? 'it is nested too deeply, or refers to itself' : String((error as Error).message)

const inDraft = (errors: readonly ErrorObject[] | null | undefined): string => {
  const [first] = errors ?? []
  return `config${first?.instancePath.replaceAll('/', '.') ?? ''} ${first?.message ?? 'is invalid'}`
}

function describe(problem: Problem): string {
  const field = ['config', ...problem.instancePath.split('/').slice(1)].join('.')
  const params = problem.params as Record<string, unknown>
  if (problem.keyword === 'required') return `${field}: ${list(params.requiredProperties)} is missing`
  if (problem.keyword === 'additionalProperties') return `${field}: ${list(params.additionalProperties)} is not known`
  return `${field} ${problem.keyword === 'boolean' ? 'is not allowed' : problem.message}`
}

const list = (names: unknown): string => (Array.isArray(names) ? names.slice(0, maxProblems).join(', ') : '')
