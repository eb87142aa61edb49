import { type OperationField, operationFields } from '../commands/call/operation-fields.ts'
import type { Candidate } from './candidate.ts'

/** The operations of `wharf call`. */
export async function operationCandidates(): Promise<Candidate[]> {
  const { operations } = await import('@wharf/contract')
  return operations
    .flatMap(({ client, summary }) => (client === null ? [] : [{ word: client as string, description: summary }]))
    .sort((a, b) => (a.word < b.word ? -1 : 1))
}

/** `field=` for each field that is not given yet; `field=value` for a field with few values. */
export async function fieldCandidates(name: string, given: readonly string[]): Promise<Candidate[]> {
  const { aliases, operations } = await import('@wharf/contract')
  const operation = [...operations, ...aliases].find((one) => one.client === name || one.name === name)
  if (operation === undefined) return []
  const isGiven = ({ field }: OperationField): boolean =>
    given.some((word) => word.startsWith(`${field}=`) || word.startsWith(`${field}@`))
  const missing = (await operationFields(operation)).filter((field) => !isGiven(field))
  return missing.flatMap(candidatesOf)
}

function candidatesOf({ field, values, required, meaning }: OperationField): Candidate[] {
  const description = [required ? 'required' : '', meaning].filter(Boolean).join(': ')
  return (values.length === 0 ? [''] : values).map((value) => ({ word: `${field}=${value}`, description }))
}
