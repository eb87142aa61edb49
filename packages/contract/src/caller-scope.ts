import { List, Text } from './schema.ts'

const maxConditions = 16

/** Conditions on the labels of hosts, of which a host must meet all. An empty list is not a limit. */
export const Scope = (description: string) =>
  List(Text(1024), { maxItems: maxConditions, since: 'wharf-1.1.0', description })

/** The operators of a scope: a limit compares values exactly. */
export const scopeOperators = ['=', '!=', '?=', '!?=', ' is null', ' not null'] as const
export type ScopeOperator = (typeof scopeOperators)[number]

export interface ScopeCondition {
  readonly label: string
  readonly operator: ScopeOperator
  readonly value: string
}

/** Whether a host with these labels meets all conditions; as in `q`, a missing label meets the negated ones. */
export const isInScope = (conditions: readonly ScopeCondition[], labels: Readonly<Record<string, string>>): boolean =>
  conditions.every((condition) =>
    meets(condition, Object.hasOwn(labels, condition.label) ? labels[condition.label] : undefined),
  )

function meets({ operator, value }: ScopeCondition, label: string | undefined): boolean {
  switch (operator) {
    case '=':
      return label === value
    case '!=':
      return label !== value
    case '?=':
      return label !== undefined && value.split(',').includes(label)
    case '!?=':
      return label === undefined || !value.split(',').includes(label)
    case ' is null':
      return label === undefined
    case ' not null':
      return label !== undefined
  }
}
