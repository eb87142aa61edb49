import type { AuditEntryInventory } from '@wharf/sdk'

type Entry = Readonly<Partial<Record<keyof AuditEntryInventory, unknown>>>

/** Who acted: the name of a user, or how an action without one came about. */
export const actorText = ({ actorName, actorKind }: Entry): string => String(actorName ?? actorKind)

/** `Host web-1` */
export const resourceText = ({ resourceType, resourceName, resourceUuid }: Entry): string | null =>
  [resourceType, resourceName ?? resourceUuid].filter((part) => part !== null && part !== undefined).join(' ') || null

/** Equal refused calls are one entry. */
export const outcomeText = ({ outcome, count }: Entry): string =>
  Number(count) > 1 ? `${outcome} ×${count}` : String(outcome)

/** A line for each changed field. */
export const changesText = ({ changes = {} }: Partial<AuditEntryInventory>): string =>
  Object.entries(changes)
    .map(([field, { before, after }]) => `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`)
    .join('\n')
