import { aliases, isOptional, type Operation, operations, pathParameters } from '@wharf/contract'
import type { Candidate } from './complete.ts'

/** The operations of `wharf call`. */
export const operationCandidates = (): Candidate[] =>
  operations
    .flatMap(({ client, summary }) => (client === null ? [] : [{ word: client as string, description: summary }]))
    .sort((a, b) => (a.word < b.word ? -1 : 1))

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
}

/** `field=` for each field that is not given yet; `field=value` for a field with few values. */
export function fieldCandidates(name: string, given: readonly string[]): Candidate[] {
  const operation = [...operations, ...aliases].find((one) => one.client === name || one.name === name)
  if (operation === undefined) return []
  const isGiven = (field: string): boolean =>
    given.some((word) => word.startsWith(`${field}=`) || word.startsWith(`${field}@`))
  const path = pathParameters(operation.path).map((field) => ({ word: `${field}=`, description: 'required' }))
  return [...path, ...fieldsOf(operation)].filter(({ word }) => !isGiven(word.split('=')[0] ?? ''))
}

const fieldsOf = ({ fields }: Operation): Candidate[] =>
  Object.entries(fields as Readonly<Record<string, FieldSchema>>).flatMap(([field, schema]) => {
    const isRequired = !isOptional(schema as Parameters<typeof isOptional>[0])
    const description = [isRequired ? 'required' : '', schema.description ?? ''].filter(Boolean).join(': ')
    const values = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum ?? [''])
    return values.map((value) => ({ word: `${field}=${value}`, description }))
  })
