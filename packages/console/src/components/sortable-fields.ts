import type { Operation } from '@wharf/contract'

/**
 * Lists that grow without bound, and the fields that the server has an index for. Sorting by another field would read
 * every record.
 */
const indexedFields: Readonly<Record<string, readonly string[]>> = {
  QuerySoftwarePackage: ['name', 'createDate'],
  QueryApiJob: ['createDate'],
  QueryThirdpartyAlert: ['createDate'],
  QueryDelivery: ['createDate'],
  QueryAuditEntry: ['endDate'],
}

/** A list that stays short can be sorted by any field. */
export const isSortable = ({ name }: Pick<Operation, 'name'>, field: string): boolean =>
  // a label of a host
  !field.includes('.') && (!Object.hasOwn(indexedFields, name) || (indexedFields[name]?.includes(field) ?? false))
