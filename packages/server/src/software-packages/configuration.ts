import { ApiError, invalid } from '../platform/api-error.ts'
import { configCheck, type JsonSchema } from './archives/config-check.ts'
import type { PackageManifest } from './archives/manifest.ts'

type Fields = Record<string, unknown>

/** What the installer gets: the object that its schema describes, or the text as it was given. */
export interface Configuration {
  readonly value: unknown
  /** For a package on backup storage: the host to install it on. */
  readonly hostUuid: string | undefined
}

/** Before anything runs. A package with a schema takes JSON that fits it; another one takes any text. */
export function readConfiguration(manifest: PackageManifest, text: string | undefined): Configuration {
  const parsed = parseObject(text)
  const hostUuid = typeof parsed?.hostUuid === 'string' ? parsed.hostUuid : undefined
  const schema = manifest.config as JsonSchema | undefined
  if (schema === undefined) return { value: parsed ?? text ?? null, hostUuid }
  if (text !== undefined && text.trim() !== '' && parsed === undefined)
    throw invalid('installSoftwarePackage.config must be a JSON object: the package has a schema for it')
  const value = describes(schema, 'hostUuid') ? (parsed ?? {}) : withoutHost(parsed ?? {})
  const problems = configCheck(schema)(value)
  if (problems.length > 0) throw invalid(`installSoftwarePackage.config: ${problems.join('; ')}`)
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
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

/** The configuration as it may be shown later: without what the schema marks as write-only, at any depth. */
export function withoutSecrets(schema: JsonSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withoutSecrets((schema.items ?? {}) as JsonSchema, one))
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  return Object.fromEntries(
    Object.entries(value)
      // what the schema does not describe may be anything
      .filter(([name]) => properties[name] !== undefined && properties[name].writeOnly !== true)
      .map(([name, inner]) => [name, withoutSecrets(properties[name] ?? {}, inner)]),
  )
}

export function manifestOf({ name, manifest }: { name: string; manifest: string | null }): PackageManifest {
  if (manifest === null)
    throw new ApiError('SoftwarePackage.1132', `software package ${name} has no wharf.json, so it cannot be installed`)
  return JSON.parse(manifest) as PackageManifest
}
