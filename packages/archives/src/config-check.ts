import { createRequire } from 'node:module'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { refuseManifest } from './refusal.ts'
import { checkParts } from './schema-parts.ts'
import { TookTooLong, withinTime } from './time-limit.ts'

export type JsonSchema = Record<string, unknown>

const draft = 'https://json-schema.org/draft/2020-12/schema'
const maxSchemaCharacters = 256 * 1024
/** A configuration is at most 128 KiB: an honest check takes a few milliseconds. */
const checkLimitMs = 500
const maxProblems = 20

// knows only the draft's own schema: what a package brings is never compiled to code, but interpreted
const drafts = new Ajv2020({ strict: false, validateFormats: false })

/** Hundreds of modules, a fifth of a start: they are loaded for the first package that has a schema. */
const interpreter = (): Interpreter => load('typebox/schema')
const load = createRequire(import.meta.url)
type Interpreter = typeof import('typebox/schema')
type Problem = ReturnType<Interpreter['Errors']>[1][number]

/**
 * The check that a package wants made of its configuration before anything runs. Refuses what is no JSON Schema of draft
 * 2020-12 or reaches outside itself. The problems name fields and rules, never values: a configuration holds secrets.
 */
export function configCheck(schema: JsonSchema): (config: unknown) => string[] {
  checkSchema(schema)
  const { Errors } = interpreter()
  const check = (config: unknown): string[] => {
    const [fits, problems] = withinTime(checkLimitMs, () => Errors(schema, config))
    if (fits) return []
    // these are reported again, with all names together
    const reported = problems.filter(
      ({ keyword, schemaPath }) => !(keyword === 'boolean' && schemaPath.endsWith('/additionalProperties')),
    )
    return reported.length === 0 ? ['config does not fit the schema'] : reported.slice(0, maxProblems).map(describe)
  }
  attempt(() => check({}))
  return (config) => {
    try {
      return check(config)
    } catch (error) {
      return [`the configuration cannot be checked: ${reason(error)}`]
    }
  }
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

/** A schema that is nested without end, or refers to itself, ends in an error of the machine. */
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
