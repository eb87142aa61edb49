import type { Static, TSchema, TUnsafe } from 'typebox'
import { Type } from './type.ts'
import { uuidPattern } from './uuid.ts'

/** The field types of the contract: TypeBox schemas, each with its rule. */

interface Notes {
  description?: string
  /** The version that introduced the field; defaults to that of the operation. */
  since?: string
}

const notes = ({ since, ...rest }: Notes): Record<string, unknown> =>
  since === undefined ? rest : { ...rest, 'x-since': since }

/** Requests may write it with dashes and capitals; it is stored and sent in this form. */
export const Uuid = (more: Notes = {}) => Type.String({ pattern: uuidPattern, ...notes(more) })

/** Text is trimmed and contains no control characters. `required` text may not be empty. */
export const Text = (
  maxLength: number,
  more: Notes & { pattern?: string; minLength?: number; examples?: readonly string[] } = {},
) => Type.String({ maxLength, ...notes(more) })

export const Name = (more: Notes = {}) => Text(255, more)
export const Description = (more: Notes = {}) => Text(2048, more)

/** Verbatim text reaches its destination byte for byte: passwords, templates, configuration. */
export const Verbatim = (maxLength: number, more: Notes & { minLength?: number } = {}) =>
  Type.String({ maxLength, 'x-verbatim': true, ...notes(more) })

/** A secret in a request: verbatim, never sent back, never queried, never logged. */
export const SecretText = (maxLength: number, more: Notes & { minLength?: number; pattern?: string } = {}) =>
  Type.String({ maxLength, 'x-verbatim': true, writeOnly: true, ...notes(more) })

/** A private column: a secret, encrypted under the master key. */
export const Sealed = () => Type.Unsafe<Uint8Array>({ type: 'string', format: 'byte', writeOnly: true })

export const Integer = (minimum: number, maximum: number, more: Notes = {}) =>
  Type.Integer({ minimum, maximum, ...notes(more) })

/** A count of bytes, or any other safe integer. */
export const Long = (more: Notes = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64', ...notes(more) })

export const Double = (more: Notes = {}) => Type.Number(notes(more))
export const Flag = (more: Notes = {}) => Type.Boolean(notes(more))

export const Choice = <const V extends readonly string[]>(values: V, more: Notes = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, ...notes(more) })

export const List = <S extends TSchema>(items: S, more: Notes & { maxItems?: number } = {}) =>
  Type.Array(items, { maxItems: 1000, ...notes(more) })

/** Arbitrary names, each with a text. */
export const TextMap = (more: Notes = {}): TUnsafe<Record<string, string>> =>
  Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' }, ...notes(more) })

/** In JSON `Nov 5, 2026 1:02:03 AM`; inside the server milliseconds. */
export type Timestamp = string & { readonly format: 'Timestamp' }
export const timestampPattern =
  '^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([1-9]|[12][0-9]|3[01]), [0-9]{4} ([1-9]|1[0-2]):[0-5][0-9]:[0-5][0-9] (AM|PM)$'
export const Timestamp = (more: Notes = {}): TUnsafe<Timestamp> =>
  Type.Unsafe<Timestamp>({ type: 'string', pattern: timestampPattern, 'x-timestamp': true, ...notes(more) })

/** A field of an answer that can be unknown: it is then present as null. */
export const orNull = <S extends TSchema>(schema: S): TUnsafe<Static<S> | null> => {
  const plain = schema as Record<string, unknown>
  const type = plain.type
  if (typeof type !== 'string') return Type.Unsafe({ anyOf: [schema, { type: 'null' }] })
  const values = plain.enum
  return Type.Unsafe({
    ...plain,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  })
}

/** A secret in an answer: returned once, null when the call is repeated. */
export const shownOnce = <S extends TSchema>(schema: S): S => ({ ...schema, 'x-shown-once': true })

/** A field that shows only part of its value: it can be read, but neither queried nor sorted by. */
export const notQueried = <S extends TSchema>(schema: S): S => ({ ...schema, 'x-queried': false })

export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)
