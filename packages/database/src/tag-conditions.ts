import { invalid } from '@wharf/platform/api-error.ts'
import type { Bindings } from './bindings.ts'
import { affirmativeSql, opposites } from './condition-sql.ts'
import type { Condition } from './conditions.ts'
import type { Field } from './query-fields.ts'

export type TagTable = 'systemTags' | 'userTags'

/** The names in `q` for the tags of a record. */
export const tagTables: ReadonlyMap<string, TagTable> = new Map([
  ['__systemTag__', 'systemTags'],
  ['__userTag__', 'userTags'],
])

const tag: Field = {
  name: 'tag',
  kind: 'string',
  nullable: false,
  isChoice: false,
  isUuid: false,
  expression: '"tagged"."tag"',
  selected: '',
  readable: true,
  queried: true,
  length: 0,
}

/** A condition on the tags of a record: that it has such a tag, or, negated, none. */
export function tagConditionSql(
  table: TagTable,
  uuid: string,
  { field, operator, value }: Condition,
  to: Bindings,
): string {
  const hasTag = (such: string): string =>
    `exists (select 1 from "${table}" as "tagged" where "tagged"."resourceUuid" = ${uuid}${to.subqueryGuard()}${such})`
  switch (operator) {
    case ' is null':
      return `not ${hasTag('')}`
    case ' not null':
      return hasTag('')
    case '!=':
    case '!?=':
    case '!~=':
      return `not ${hasTag(` and ${affirmativeSql(tag, opposites[operator], value, to)}`)}`
    case '=':
    case '?=':
    case '~=':
      return hasTag(` and ${affirmativeSql(tag, operator, value, to)}`)
    default:
      throw invalid(`q ${field}: tags have no order, so ${operator} is not for them`)
  }
}
