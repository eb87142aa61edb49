/** The parts of OpenAPI 3.1 that our document uses. */

export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly (string | number | null)[]
  readonly const?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
  readonly 'x-since'?: string
  readonly 'x-shown-once'?: boolean
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly 'x-since'?: string
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>
export interface Response {
  readonly description: string
  readonly content?: Content
}
type Reference = { readonly $ref: string }

/** An entry of `x-operations`: one of the operations that share method and path. */
type Action = Pick<
  Operation,
  'summary' | 'deprecated' | 'x-since' | 'x-permission' | 'x-timeout-seconds' | 'x-errors' | 'x-served'
> & { readonly name: string; readonly structure: string }

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly 'x-since'?: string
  readonly 'x-permission'?: string
  readonly 'x-timeout-seconds'?: number
  readonly 'x-errors'?: readonly string[]
  readonly 'x-served'?: boolean
  readonly 'x-operations'?: readonly Action[]
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes?: Readonly<Record<string, { readonly description?: string }>>
  }
  readonly 'x-error-catalogue'?: Readonly<Record<string, { readonly status: number; readonly description: string }>>
}

/** An operation with its method and path. */
export interface Call extends Operation {
  readonly method: string
  readonly path: string
}

/** Resolves a reference to `#/components/…`; other values are returned unchanged. */
export function resolved<T extends object>(document: OpenApi, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((place, key) => (place as Record<string, unknown> | undefined)?.[key], document)
  if (found === undefined) throw new Error(`the OpenAPI document refers to ${value.$ref}, which is not there`)
  return found as T
}

/** A query may omit fields, so its records have a separate component; the page shows one name for both. */
export function recordName(document: OpenApi, reference: string): string {
  const name = reference.split('/').at(-1) ?? ''
  const whole = name.replace(/^Partial/, '')
  return whole in document.components.schemas ? whole : name
}

export const isPartialRecord = (document: OpenApi, name: string): boolean => recordName(document, name) !== name

export const jsonSchema = (content: Content | undefined): Schema | undefined => content?.['application/json']?.schema
