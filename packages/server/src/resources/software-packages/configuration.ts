import { configCheck, type JsonSchema } from '@wharf/archives/config-check.ts'
import type { PackageManifest } from '@wharf/archives/manifest.ts'
import { normalizeUuid } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { secretValues } from './secret-values.ts'

type Fields = Record<string, unknown>

/** Each of them is looked for in every line that a hook prints. */
const maxSecretValues = 1000

/** What the installer gets: the object that its schema describes, or the text as it was given. */
export interface Configuration {
  readonly value: unknown
  /** For a package on backup storage: the host to install it on. */
  readonly hostUuid: string | undefined
}

/** Before anything runs. A package with a schema takes JSON that fits it; another one takes any text. */
export function readConfiguration(manifest: PackageManifest, text: string | undefined): Configuration {
  const given = parseObject(text)
  const hostUuid = typeof given?.hostUuid === 'string' ? normalizeUuid(given.hostUuid) : undefined
  const parsed = hostUuid === undefined ? given : { ...given, hostUuid }
  const schema = manifest.config as JsonSchema | undefined
  if (schema === undefined) return { value: parsed ?? text ?? null, hostUuid }
  if (text !== undefined && text.trim() !== '' && parsed === undefined)
    throw invalid('installSoftwarePackage.config must be a JSON object: the package has a schema for it')
  const value = describes(schema, 'hostUuid') ? (parsed ?? {}) : withoutHost(parsed ?? {})
  const problems = configCheck(schema)(value)
  if (problems.length > 0) throw invalid(`installSoftwarePackage.config: ${problems.join('; ')}`)
  const secrets = secretValues(schema, value).length
  if (secrets > maxSecretValues)
    throw invalid(
      `installSoftwarePackage.config has ${secrets} different write-only values; at most ${maxSecretValues} are allowed`,
    )
  return { value, hostUuid }
}

const describes = (schema: JsonSchema, name: string): boolean =>
  Object.hasOwn((schema.properties ?? {}) as object, name)

/** It is for Wharf; a package that does not know the field may refuse it. */
function withoutHost({ hostUuid: _, ...rest }: Fields): Fields {
  return rest
}

function parseObject(text: string | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** By these a schema says more of a value in another place; what they lead to is not followed. */
const indirect = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'contains',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const references = ['$ref', '$dynamicRef']

/** The configuration as it may be shown later: what the schema describes in plain words and does not mark as write-only. */
export const withoutSecrets = (schema: JsonSchema, value: unknown): unknown => shownPart(schema, value) ?? {}

/** Undefined for what may be a secret; that is also what the schema does not describe. */
function shownPart(schema: unknown, value: unknown): unknown {
  if (!isFields(schema) || mayBeSecret(schema)) return undefined
  if (Array.isArray(value)) return value.map((one) => shownPart(schema.items, one)).filter((one) => one !== undefined)
  if (!isFields(value)) return value
  const properties = isFields(schema.properties) ? schema.properties : {}
  const shown = Object.entries(value)
    .filter(([name]) => Object.hasOwn(properties, name))
    .map(([name, inner]) => [name, shownPart(properties[name], inner)] as const)
  return Object.fromEntries(shown.filter(([, inner]) => inner !== undefined))
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mayBeSecret = (schema: Fields): boolean =>
  schema.writeOnly === true ||
  references.some((name) => schema[name] !== undefined) ||
  indirect.some((name) => /"(writeOnly|\$ref|\$dynamicRef)":/.test(JSON.stringify(schema[name] ?? null)))

export function manifestOf({ name, manifest }: { name: string; manifest: string | null }): PackageManifest {
  if (manifest === null)
    throw new ApiError('SoftwarePackage.1132', `software package ${name} has no wharf.json, so it cannot be installed`)
  return JSON.parse(manifest) as PackageManifest
}
