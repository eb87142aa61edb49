import Select from '@cloudscape-design/components/select'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from '../messages.ts'
import { findFilter, type SavedFilter } from './saved-filters.ts'

interface FilterChoiceProps {
  readonly filters: readonly SavedFilter[]
  readonly conditions: readonly string[]
  readonly onChoose: (conditions: readonly string[]) => void
}

/** Chooses a saved filter, or none. */
export function FilterChoice({ filters, conditions, onChoose }: FilterChoiceProps) {
  const t = useMessages(messages)
  const current = findFilter(filters, conditions)
  const none = { value: '', label: t.noFilter }
  const options = filters.map(({ name }) => ({ value: name, label: name }))
  return (
    <div className="filter-choice">
      <Select
        ariaLabel={t.savedFilters}
        selectedOption={current ? { value: current.name, label: current.name } : conditions.length === 0 ? none : null}
        placeholder={t.unsavedFilter}
        options={[none, ...options]}
        onChange={({ detail }) =>
          onChoose(filters.find(({ name }) => name === detail.selectedOption.value)?.conditions ?? [])
        }
      />
    </div>
  )
}
