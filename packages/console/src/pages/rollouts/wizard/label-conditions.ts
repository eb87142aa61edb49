export const labelOperators = ['=', '!=', '?=', ' not null', ' is null'] as const
export type LabelOperator = (typeof labelOperators)[number]

/** A condition on a label of a host. */
export interface LabelCondition {
  readonly name: string
  readonly operator: LabelOperator
  readonly value: string
}

export const hasValue = (operator: LabelOperator): boolean => !operator.endsWith('null')

/** A condition without a name selects nothing, so it is left out. */
export const conditionsOfLabels = (labels: readonly LabelCondition[]): string[] =>
  labels
    .filter(({ name, operator, value }) => name.trim() !== '' && (!hasValue(operator) || value.trim() !== ''))
    .map(({ name, operator, value }) => `labels.${name.trim()}${operator}${hasValue(operator) ? value.trim() : ''}`)
