import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from '../messages.ts'
import { findFilter, type SavedFilter } from './saved-filters.ts'

interface FilterActionsProps {
  readonly filters: readonly SavedFilter[]
  readonly conditions: readonly string[]
  readonly onClear: () => void
  readonly onSave: () => void
  readonly onDelete: (name: string) => void
}

/** Clears the filter, saves it under a name, or deletes the saved one. */
export function FilterActions({ filters, conditions, onClear, onSave, onDelete }: FilterActionsProps) {
  const t = useMessages(messages)
  const current = findFilter(filters, conditions)
  return (
    <ButtonDropdown
      ariaLabel={t.filterActions}
      mainAction={{ text: t.clearFilters, onClick: onClear }}
      items={[
        { id: 'save', text: t.saveFilter },
        ...(current ? [{ id: 'delete', text: t.deleteFilter(current.name) }] : []),
      ]}
      onItemClick={({ detail }) => {
        if (detail.id === 'save') onSave()
        else if (current) onDelete(current.name)
      }}
    />
  )
}
