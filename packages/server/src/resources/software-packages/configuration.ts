import { configCheck, type JsonSchema } from '@wharf/archives/config-check.ts'
import type { PackageManifest } from '@wharf/archives/manifest.ts'
import { normalizeUuid } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { findSecretValues } from './secret-values.ts'

type Fields = Record<string, unknown>

/** Every line that a hook prints is searched for each of them. */
const maxSecretValues = 1000

/** The input of the installer: the object that its schema describes, or the text as it was sent. */
export interface Configuration {
  readonly value: unknown
  /** For a package on backup storage: the host to install it on. */
  readonly hostUuid: string | undefined
}

/**
 * Called before anything runs. A package with a schema accepts JSON that matches it; another one accepts any text. `field` is
 * the name of the configuration in errors.
 */
export function readConfiguration(
  manifest: PackageManifest,
  sent: string | Fields | undefined,
  field = 'installSoftwarePackage.config',
): Configuration {
  const text = typeof sent === 'object' ? JSON.stringify(sent) : sent
  const given = parseObject(text)
  const hostUuid = typeof given?.hostUuid === 'string' ? normalizeUuid(given.hostUuid) : undefined
  const parsed = hostUuid === undefined ? given : { ...given, hostUuid }
  const schema = manifest.config as JsonSchema | undefined
  if (schema === undefined) return { value: parsed ?? text ?? null, hostUuid }
  if (text !== undefined && text.trim() !== '' && parsed === undefined)
    throw invalid(`${field} must be a JSON object: the package has a schema for it`)
  const value = describes(schema, 'hostUuid') ? (parsed ?? {}) : withoutHost(parsed ?? {})
  const problems = configProblems(manifest, value)
  if (problems.length > 0) throw invalid(`${field}: ${problems.join('; ')}`)
  const secrets = findSecretValues(schema, value).length
  if (secrets > maxSecretValues)
    throw invalid(`${field} has ${secrets} different write-only values; at most ${maxSecretValues} are allowed`)
  return { value, hostUuid }
}

/** What the schema of the package rejects; nothing for a package without one. */
export const configProblems = ({ config: schema }: PackageManifest, value: unknown): string[] =>
  schema === undefined ? [] : configCheck(schema as JsonSchema)(value)

const describes = (schema: JsonSchema, name: string): boolean =>
  Object.hasOwn((schema.properties ?? {}) as object, name)

/** The field is for Wharf; a package whose schema does not contain it may reject it. */
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

/** Keywords by which a schema describes a value in another place; they are not followed. */
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

/** The part of the configuration that may be shown: what the schema describes directly and does not mark as write-only. */
export const removeSecrets = (schema: JsonSchema, value: unknown): unknown => shownPart(schema, value) ?? {}

/** Undefined for what may be a secret, which includes what the schema does not describe. */
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

/** A package as the subject of a job; its version is known once it has a manifest. */
export const jobSubject = ({ uuid, name, manifest }: { uuid: string; name: string; manifest: string | null }) => ({
  uuid,
  name,
  version: manifest === null ? null : (JSON.parse(manifest) as PackageManifest).version,
})

export function manifestOf({ name, manifest }: { name: string; manifest: string | null }): PackageManifest {
  if (manifest === null)
    throw new ApiError(
      'SoftwarePackage.1132',
      `software package ${name} has no wharf.json, so it cannot be installed; add one, and upload it again`,
    )
  return JSON.parse(manifest) as PackageManifest
}
