import { type inventories, mayCall, operations, type Permission, permissions, type Role } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { findRecordKinds, referableRecords } from '@wharf/database/uuid-conflict.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'

type RecordKind = (typeof inventories)[number]

const typeOf = ({ events: [type = ''] }: RecordKind): string => type

/** A record without events, such as an entry of the audit trail, never changes. */
const resourceTypes = [...new Set(referableRecords.map(typeOf))].filter((type) => type !== '').sort()

/** The least that some change of such a record takes; changes of one's own records are for admins, because a tag has no owner. */
function permissionToTag({ name }: RecordKind): Permission {
  const changes = operations.filter(
    ({ method, answer }) => method !== 'GET' && answer !== 'empty' && titleOf(answer) === name,
  )
  const needed = changes.map(({ permission }) => (permission === 'operate' ? 'operate' : 'administer'))
  return permissions.find((permission) => needed.some((one) => one === permission)) ?? 'administer'
}

const titleOf = (answer: object): string | undefined => (answer as { inventory?: { title?: string } }).inventory?.title

/** A record of this type exists, and the caller may change such records. */
export async function requireTaggable(
  tx: Tx,
  { resourceUuid, resourceType }: { resourceUuid: string; resourceType: string },
  role: Role,
): Promise<void> {
  if (!resourceTypes.includes(resourceType))
    throw invalid(
      `resourceType: no type ${JSON.stringify(resourceType.slice(0, 64))}; the types are ${resourceTypes.join(', ')}`,
    )
  const kinds = await findRecordKinds(tx, resourceUuid)
  const [first] = kinds
  if (first === undefined) throw notFound(resourceType, resourceUuid)
  const kind = kinds.find((one) => typeOf(one) === resourceType)
  if (kind === undefined)
    throw invalid(`resourceType: record ${resourceUuid} is of the type ${typeOf(first)}, not ${resourceType}`)
  requireTagRights(kind, role)
}

function requireTagRights(kind: RecordKind, role: Role): void {
  const permission = permissionToTag(kind)
  if (!mayCall(role, { permission }))
    throw new ApiError(
      'ID.1002',
      `the role ${role} may not change records of the type ${typeOf(kind)}, so it cannot tag them; ask an admin`,
    )
}

/** Of a tag that exists; its record may be of a type that this version does not know. */
export function requireUntagging({ resourceType }: { resourceType: string }, role: Role): void {
  const kind = referableRecords.find((one) => typeOf(one) === resourceType)
  if (kind) requireTagRights(kind, role)
}
