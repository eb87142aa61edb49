import { sentValue, startValue, withoutSecrets, withPlaceholders } from '../../../features/config-form/config-value.ts'
import {
  isObject,
  type JsonObject,
  type JsonSchema,
  parseObject,
  propertiesOf,
} from '../../../features/config-form/json-schema.ts'

/** The fields as chosen and typed. */
export interface UpgradeForm {
  readonly releaseUuid: string
  /** The server uses the configuration of the installed version, or the caller sends another one. */
  readonly config: 'kept' | 'changed'
  /** As edited in the form of the schema; null until it was changed. */
  readonly value: unknown
  /** As edited without a schema; null until it was changed. */
  readonly text: string | null
}

export const newUpgrade: UpgradeForm = { releaseUuid: '', config: 'kept', value: null, text: null }

/** The configuration of the installed version in the form of the new one, which may refuse fields that it does not have. */
export function initialValue(schema: JsonSchema, kept: unknown): JsonObject {
  const start = startValue(schema, schema)
  const known = propertiesOf(schema, schema).map(({ name }) => name)
  const earlier = Object.entries(isObject(kept) ? kept : {}).filter(
    ([name]) => schema.additionalProperties !== false || known.includes(name),
  )
  return { ...(isObject(start) ? start : {}), ...Object.fromEntries(earlier) }
}

export const initialText = (kept: unknown): string =>
  isObject(kept) ? JSON.stringify(kept, null, 2) : typeof kept === 'string' ? kept : ''

/** The configuration to send: undefined for the kept one. */
export function sentConfig(form: UpgradeForm, schema: JsonSchema | undefined, kept: unknown): JsonObject | undefined {
  if (form.config === 'kept') return undefined
  if (schema === undefined) return parseObject(form.text ?? initialText(kept)) ?? {}
  const sent = sentValue(form.value ?? initialValue(schema, kept), schema, schema)
  return isObject(sent) ? sent : {}
}

/** The same for a command that is copied, with a placeholder for what is or may be secret. */
export function shownConfig(config: JsonObject | undefined, schema: JsonSchema | undefined): unknown {
  if (config === undefined) return undefined
  return schema ? withoutSecrets(config, schema, schema) : withPlaceholders(config)
}

/** An empty text is an empty configuration. */
export const isReadable = (text: string): boolean => text.trim() === '' || parseObject(text) !== undefined
