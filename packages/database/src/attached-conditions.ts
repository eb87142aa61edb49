import { isLabelName, labelNameRule } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import type { Bindings } from './bindings.ts'
import { affirmativeSql, opposites } from './condition-sql.ts'
import { type Condition, quoted } from './parse-condition.ts'
import { type Field, quoteName, type StoredInventory } from './query-fields.ts'
import { readText } from './query-values.ts'

/** Rows of another table that belong to a record: its tags, or its label of one name. */
interface Attached {
  readonly table: string
  /** The column with the uuid of the record. */
  readonly owner: string
  readonly value: string
  readonly hasOrder: boolean
  /** Narrows them to one row. */
  readonly only?: { readonly column: string; readonly equals: string }
}

const tagsIn = (table: 'systemTags' | 'userTags'): Attached => ({
  table,
  owner: 'resourceUuid',
  value: 'tag',
  hasOrder: false,
})

/** The names in `q` for the tags of a record. */
export const tagFields: ReadonlyMap<string, Attached> = new Map([
  ['__systemTag__', tagsIn('systemTags')],
  ['__userTag__', tagsIn('userTags')],
])

type LabelTable = NonNullable<StoredInventory['labels']>

export const labelIn = (table: LabelTable['table'], name: string): Attached => ({
  table,
  owner: 'hostUuid',
  value: 'labelValue',
  hasOrder: true,
  only: { column: 'label', equals: name },
})

/** `labels.zone` → the label zone of a record; undefined for what is not written so. */
export function labelField(labels: LabelTable | undefined, name: string): Attached | undefined {
  if (labels === undefined || !name.startsWith(`${labels.field}.`)) return undefined
  const label = name.slice(labels.field.length + 1)
  if (!isLabelName(label)) throw invalid(`q: ${quoted(name)} names no label; a label name has ${labelNameRule}`)
  return labelIn(labels.table, label)
}

/** Such a row exists, or, negated, none does. */
export function attachedConditionSql(
  attached: Attached,
  uuid: string,
  { field, operator, value }: Condition,
  to: Bindings,
): string {
  const { table, owner, only, hasOrder } = attached
  const valueField = textField(field, `"attached".${quoteName(attached.value)}`)
  const exists = (such: () => string = () => ''): string => {
    // a record has many tags, but one label of a name
    const narrowed = only ? ` and "attached".${quoteName(only.column)} = ${to.bind(only.equals)}` : to.subqueryGuard()
    return `exists (select 1 from ${quoteName(table)} as "attached" where "attached".${quoteName(owner)} = ${uuid}${narrowed}${such()})`
  }
  switch (operator) {
    case ' is null':
      return `not ${exists()}`
    case ' not null':
      return exists()
    case '!=':
    case '!?=':
    case '!~=':
      return `not ${exists(() => ` and ${affirmativeSql(valueField, opposites[operator], value, to)}`)}`
    default:
      if (!hasOrder && operator !== '=' && operator !== '?=' && operator !== '~=')
        throw invalid(`q ${field}: tags have no order, so ${operator} is not for them`)
      return exists(() => ` and ${affirmativeSql(valueField, operator, value, to)}`)
  }
}

/**
 * A label that a page is read by, in the default order of its records: the index of the label has that order, so neither a
 * rare nor a frequent value visits more rows than the page has.
 */
export interface LeadingLabel {
  readonly condition: Condition
  readonly from: string
  readonly toSql: (to: Bindings) => string
  readonly createDate: string
  readonly uuid: string
}

export function leadingLabel(
  labels: LabelTable | undefined,
  table: string,
  conditions: readonly Condition[],
): LeadingLabel | undefined {
  if (labels === undefined) return undefined
  for (const condition of conditions) {
    const { field, operator, value } = condition
    const name = operator === '=' ? labelField(labels, field)?.only?.equals : undefined
    if (name === undefined) continue
    return {
      condition,
      // the order of a cross join is the order in which SQLite reads
      from: ` from ${quoteName(labels.table)} as "leading" cross join ${table}`,
      toSql: (to) =>
        `"leading"."label" = ${to.bind(name)} and "leading"."labelValue" = ${to.bind(readText(field, value))} and ${table}."uuid" = "leading"."hostUuid"`,
      createDate: '"leading"."hostCreateDate"',
      uuid: '"leading"."hostUuid"',
    }
  }
  return undefined
}

const textField = (name: string, expression: string): Field => ({
  name,
  kind: 'string',
  nullable: false,
  isChoice: false,
  isUuid: false,
  expression,
  selected: '',
  readable: true,
  queried: true,
  length: 0,
})
