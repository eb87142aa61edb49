import type { Candidate } from './candidate.ts'

/** The operations of `wharf call`. */
export async function operationCandidates(): Promise<Candidate[]> {
  const { operations } = await import('@wharf/contract')
  return operations
    .flatMap(({ client, summary }) => (client === null ? [] : [{ word: client as string, description: summary }]))
    .sort((a, b) => (a.word < b.word ? -1 : 1))
}

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
}

/** `field=` for each field that is not given yet; `field=value` for a field with few values. */
export async function fieldCandidates(name: string, given: readonly string[]): Promise<Candidate[]> {
  const { aliases, isOptional, operations, pathParameters } = await import('@wharf/contract')
  const operation = [...operations, ...aliases].find((one) => one.client === name || one.name === name)
  if (operation === undefined) return []
  const isGiven = (field: string): boolean =>
    given.some((word) => word.startsWith(`${field}=`) || word.startsWith(`${field}@`))
  const path = pathParameters(operation.path).map((field) => ({ word: `${field}=`, description: 'required' }))
  const fields = Object.entries(operation.fields as Readonly<Record<string, FieldSchema>>)
  const candidates = fields.flatMap(([field, schema]) => valuesOf(field, schema, !isOptional(schema)))
  return [...path, ...candidates].filter(({ word }) => !isGiven(word.split('=')[0] ?? ''))
}

function valuesOf(field: string, schema: FieldSchema, isRequired: boolean): Candidate[] {
  const description = [isRequired ? 'required' : '', schema.description ?? ''].filter(Boolean).join(': ')
  const values = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? [''])
  return values.map((value) => ({ word: `${field}=${value}`, description }))
}
