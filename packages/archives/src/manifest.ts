import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { configCheck, type JsonSchema } from './config-check.ts'
import { parseDuration } from './duration.ts'
import { manifestSchema, type PackageHook, type PackageManifest } from './manifest-schema.ts'
import { quoted, refuseManifest } from './refusal.ts'

export type { PackageHook, PackageManifest } from './manifest-schema.ts'

/** Compiled for the first package, and not itself validated, which would take ten times as long. */
let validate: ValidateFunction<PackageManifest> | undefined

/** Parses wharf.json and checks every rule that does not need a host. */
export function readManifest(bytes: Buffer): PackageManifest {
  const manifest = parse(bytes)
  validate ??= new Ajv2020({ strict: false, validateSchema: false }).compile<PackageManifest>(manifestSchema)
  if (!validate(manifest)) throw refuseManifest(describe(validate.errors))
  for (const hook of hooksOf(manifest)) if (hook.timeout !== undefined) parseDuration(hook.timeout)
  if (manifest.config !== undefined) configCheck(manifest.config as JsonSchema)
  const keys = (manifest.images ?? []).map(({ key }) => key)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) throw refuseManifest(`images has the key ${twice} twice`)
  return manifest
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw refuseManifest(`it is not JSON in UTF-8 (${(cause as Error).message})`, cause)
  }
}

export function hooksOf({ install, verify, uninstall, upgrade, cluster }: PackageManifest): PackageHook[] {
  const { initialise, token, alerts, check } = cluster ?? {}
  return [install, verify, uninstall, upgrade, initialise, token, alerts, check].filter((hook) => hook !== undefined)
}

function describe(errors: readonly ErrorObject[] | null | undefined): string {
  const [first] = errors ?? []
  if (first === undefined) return 'it is invalid'
  const path = first.instancePath.split('/').slice(1)
  const params = first.params as Record<string, unknown>
  if (first.keyword === 'required') return `${[...path, params.missingProperty].join('.')} is missing`
  if (first.keyword === 'additionalProperties')
    return `${path.length === 0 ? '' : `${path.join('.')}.`}${quoted(String(params.additionalProperty))} is not known`
  return `${path.join('.') || 'it'} ${first.message ?? 'is invalid'}`
}
