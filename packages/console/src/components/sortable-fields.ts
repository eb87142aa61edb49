import type { Operation } from '@wharf/contract'

/**
 * Lists that grow for ever, and the fields that the server has an index to order them by. By any other it would read
 * every record, and everybody would wait for that.
 */
const ordered: Readonly<Record<string, readonly string[]>> = {
  QuerySoftwarePackage: ['name', 'createDate'],
  QueryApiJob: ['createDate'],
  QueryThirdpartyAlert: ['createDate'],
  QueryDelivery: ['createDate'],
}

/** Any field of a list that stays short will do. */
export const isSortable = ({ name }: Pick<Operation, 'name'>, field: string): boolean =>
  !Object.hasOwn(ordered, name) || (ordered[name]?.includes(field) ?? false)
