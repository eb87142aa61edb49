import type { AuditEntryInventory } from '@wharf/sdk'

type Entry = Readonly<Partial<Record<keyof AuditEntryInventory, unknown>>>

/** Who acted: a user, or Wharf itself, which may act for the user whose work it continues. */
export function actorText({ actorName, actorKind }: Entry): string {
  const name = actorName ?? actorKind
  return actorKind === 'System' && actorName ? `System for ${name}` : String(name)
}

/** `Host web-1` */
export const resourceText = ({ resourceType, resourceName, resourceUuid }: Entry): string | null =>
  [resourceType, resourceName ?? resourceUuid].filter((part) => part !== null && part !== undefined).join(' ') || null

const acceptedStatus = 202

/** A job has an entry when it is accepted and one when it ends. Equal refused calls are one entry. */
export function outcomeText({ outcome, status, count }: Entry): string {
  if (status === acceptedStatus && outcome === 'Success') return 'Accepted'
  return Number(count) > 1 ? `${outcome} ×${count}` : String(outcome)
}

/** A line for each changed field. */
export const changesText = ({ changes = {} }: Partial<AuditEntryInventory>): string =>
  Object.entries(changes)
    .map(([field, { before, after }]) => `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`)
    .join('\n')
