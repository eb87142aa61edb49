import PropertyFilter from '@cloudscape-design/components/property-filter'
import { useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { type Choice, labelsIn } from '../choice-labels.ts'
import { choiceOperators, conditionsOf, operators, queryOf, textOperators } from '../filter-query.ts'
import { listFilterId } from '../list-filter-id.ts'
import { useStatusNames } from '../statuses/use-status-names.ts'
import type { Column } from './column.ts'
import { messages } from './messages.ts'
import { FilterActions } from './saved-filters/FilterActions.tsx'
import { FilterChoice } from './saved-filters/FilterChoice.tsx'
import { SaveFilter } from './saved-filters/SaveFilter.tsx'
import { useSavedFilters } from './saved-filters/use-saved-filters.ts'

/** A field of the filter that has no column. */
export interface FilterField {
  readonly field: string
  readonly label: string
}

interface TableFilterProps<R> {
  readonly table: string
  readonly columns: readonly Column<R>[]
  readonly fields: readonly FilterField[]
  readonly textField: string
  readonly conditions: readonly string[]
  readonly total: number | undefined
  readonly onChange: (conditions: readonly string[]) => void
}

/** The filter of a list in the query language, and the saved filters. */
export function TableFilter<R>(props: TableFilterProps<R>) {
  const { table, columns, fields, textField, conditions, total, onChange } = props
  const t = useMessages(messages)
  const format = useFormat()
  const nameOf = useStatusNames()
  /** Statuses have names in the chosen language. */
  const named = (choices: readonly Choice[]) =>
    choices.map((one) => (typeof one === 'string' ? { value: one, label: nameOf(one) } : one))
  const saved = useSavedFilters(table)
  const [isSaving, setSaving] = useState(false)
  const choiceFields = columns.flatMap(({ field, choices }) => (choices ? [field] : []))
  return (
    <>
      <PropertyFilter
        controlId={listFilterId}
        query={queryOf(conditions, choiceFields)}
        onChange={({ detail }) => onChange(conditionsOf(detail, textField))}
        countText={total === undefined ? '' : t.matches(format.number(total))}
        hideOperations
        disableFreeTextFiltering={false}
        filteringPlaceholder={t.filter}
        filteringAriaLabel={t.filter}
        customControl={
          saved.filters.length === 0 ? null : (
            <FilterChoice filters={saved.filters} conditions={conditions} onChoose={onChange} />
          )
        }
        customFilterActions={
          <FilterActions
            filters={saved.filters}
            conditions={conditions}
            onClear={() => onChange([])}
            onSave={() => setSaving(true)}
            onDelete={saved.remove}
          />
        }
        filteringProperties={[
          ...columns
            .filter(({ isDerived }) => !isDerived)
            .map(({ field, label, isMeasure, choices }) => ({
              key: field,
              propertyLabel: label,
              groupValuesLabel: label,
              operators: choices
                ? choiceOperators.map((one) => ({ ...one, format: labelsIn(named(choices)) }))
                : isMeasure
                  ? [...operators]
                  : [...textOperators],
            })),
          ...fields.map(({ field, label }) => ({
            key: field,
            propertyLabel: label,
            groupValuesLabel: label,
            operators: [...textOperators],
          })),
        ]}
        filteringOptions={columns.flatMap(({ field, choices = [], suggestions = [] }) =>
          [...named(choices), ...suggestions.map((value) => ({ value }))].map((one) => ({
            propertyKey: field,
            ...one,
          })),
        )}
      />
      {isSaving ? <SaveFilter conditions={conditions} saved={saved} onDismiss={() => setSaving(false)} /> : null}
    </>
  )
}
