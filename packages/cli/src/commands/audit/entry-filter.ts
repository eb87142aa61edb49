import type { OptionSpecs } from '../../command.ts'

/** The entries that a command shows. */
export const filterOptions = {
  '--actor <name>': { help: 'only actions of this user; System for automatic ones' },
  '--operation <name>': { help: 'only this operation, such as AddHost' },
  '--outcome <outcome>': { help: 'only this outcome', choices: ['Success', 'Failure', 'Denied'] },
  '--type <type>': { help: 'only records of this type, such as Host' },
  '--record <name>': { help: 'only the record with this name or uuid' },
  '--query <condition>': { help: 'filter, such as sourceIp=10.0.0.7; repeatable (docs/query.md)', repeated: true },
} as const satisfies OptionSpecs

export interface FilterFlags {
  readonly actor?: string
  readonly operation?: string
  readonly outcome?: string
  readonly type?: string
  readonly record?: string
  readonly query?: readonly string[]
}

/** The kinds of actors that have no user. */
const isNameless = /^(System|Anonymous)$/
const isUuid = /^[0-9a-f]{32}$/i

/** The conditions of `q`. */
export function filterConditions({ actor, operation, outcome, type, record, query = [] }: FilterFlags): string[] {
  const conditions = [...query]
  if (actor !== undefined) conditions.push(`${isNameless.test(actor) ? 'actorKind' : 'actorName'}=${actor}`)
  if (operation !== undefined) conditions.push(`operation=${operation}`)
  if (outcome !== undefined) conditions.push(`outcome=${outcome}`)
  if (type !== undefined) conditions.push(`resourceType=${type}`)
  if (record !== undefined)
    conditions.push(`${isUuid.test(record.replaceAll('-', '')) ? 'resourceUuid' : 'resourceName'}=${record}`)
  return conditions
}
