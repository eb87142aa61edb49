import { invalid } from '@wharf/platform/api-error.ts'
import type { Bindings } from './bindings.ts'
import { affirmativeSql, opposites } from './condition-sql.ts'
import type { Condition } from './conditions.ts'
import type { Field } from './query-fields.ts'

export type TagTable = 'systemTags' | 'userTags'

/** The words in `q` for what stands in another table. */
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
  expression: '"held"."tag"',
  selected: '',
  readable: true,
  queried: true,
  length: 0,
}

/** A condition on the tags of a record: that it holds one such tag, or, negated, none. */
export function tagConditionSql(
  table: TagTable,
  uuid: string,
  { field, operator, value }: Condition,
  to: Bindings,
): string {
  const held = (such: string): string =>
    `exists (select 1 from "${table}" as "held" where "held"."resourceUuid" = ${uuid}${to.subqueryGuard()}${such})`
  switch (operator) {
    case ' is null':
      return `not ${held('')}`
    case ' not null':
      return held('')
    case '!=':
    case '!?=':
    case '!~=':
      return `not ${held(` and ${affirmativeSql(tag, opposites[operator], value, to)}`)}`
    case '=':
    case '?=':
    case '~=':
      return held(` and ${affirmativeSql(tag, operator, value, to)}`)
    default:
      throw invalid(`q ${field}: tags have no order, so ${operator} is not for them`)
  }
}
