import { inventoriesIn, isOptional, type Operation } from '@wharf/contract'
import { refuseUuidConflict } from '@wharf/database/uuid-conflict.ts'
import type { Call } from '../calls/call-context.ts'

/** The tables of the records in the answer: the operation itself refuses a duplicate of what it creates. */
function ownTables({ answer }: Operation): ReadonlySet<string | undefined> {
  const tables = new Set(inventoriesIn(answer).map(({ table }) => table))
  // an account and its built-in user share a uuid
  if (tables.has('accounts') || tables.has('users')) tables.add('accounts').add('users')
  return tables
}

/** The transaction of a call that chooses the uuid of its new record starts with a check that the uuid is free. */
export function refusingUuidConflict(
  operation: Operation,
  fields: Readonly<Record<string, unknown>>,
  commit: Call['commit'],
): Call['commit'] {
  const { resourceUuid } = fields
  // where it is required it names an existing record
  if (typeof resourceUuid !== 'string' || !isOptional(operation.fields.resourceUuid)) return commit
  return (work) =>
    commit(async (tx) => {
      await refuseUuidConflict(tx, resourceUuid, ownTables(operation))
      return work(tx)
    })
}
