import type { Operation } from '@wharf/contract'

/** A field of an operation, for its help and its completion. */
export interface OperationField {
  readonly field: string
  readonly type: string
  /** Of a field that has few. */
  readonly values: readonly string[]
  readonly required: boolean
  readonly meaning: string
}

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
}

/** The fields of an operation, those of its path first. */
export async function operationFields({ path, fields }: Operation): Promise<OperationField[]> {
  const { fieldDescriptions, isOptional, pathParameters } = await import('@wharf/contract')
  const inPath = pathParameters(path).map((field) => ({
    field,
    type: 'string',
    values: [],
    required: true,
    meaning: 'identifies the record',
  }))
  const others = Object.entries(fields as Readonly<Record<string, FieldSchema>>).map(([field, schema]) => ({
    field,
    type: schema.enum?.join('|') ?? schema.type ?? '',
    values: schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? []),
    required: !isOptional(schema),
    meaning: schema.description ?? fieldDescriptions[field] ?? '',
  }))
  return [...inPath, ...others]
}
