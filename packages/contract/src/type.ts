import type { TProperties, Type as TypeBox } from 'typebox'

/**
 * The few of TypeBox's constructors that the contract needs, with its types, as plain JSON Schema. Loading TypeBox
 * itself, hundreds of modules, took a third of the start time of the CLI and enlarged the console.
 */
type Constructors = Pick<
  typeof TypeBox,
  'String' | 'Integer' | 'Number' | 'Boolean' | 'Array' | 'Object' | 'Partial' | 'Optional' | 'Unsafe'
>

const hidden = '~optional'
/** A marker on the field that is not part of its schema: it is neither copied nor serialized. */
const optional = (schema: object): object =>
  Object.defineProperty({ ...schema }, hidden, { value: true, enumerable: false })

export const isOptional = (schema: object | undefined): boolean => schema !== undefined && hidden in schema

const object = (properties: TProperties, words?: object) => {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name]))
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...words }
}

export const Type = {
  String: (words?: object) => ({ type: 'string', ...words }),
  Integer: (words?: object) => ({ type: 'integer', ...words }),
  Number: (words?: object) => ({ type: 'number', ...words }),
  Boolean: (words?: object) => ({ type: 'boolean', ...words }),
  Array: (items: object, words?: object) => ({ type: 'array', items, ...words }),
  Object: object,
  Partial: ({ properties }: { properties: TProperties }, words?: object) => {
    const fields = Object.entries(properties).map(([name, schema]) => [name, optional(schema)])
    return object(Object.fromEntries(fields), words)
  },
  Optional: optional,
  Unsafe: (schema: object) => ({ ...schema }),
} as unknown as Constructors
