import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useMessages } from '../../../i18n/use-messages.ts'
import { FormModal } from '../../FormModal.tsx'
import { messages } from '../messages.ts'
import type { SavedFilters } from './use-saved-filters.ts'

interface SaveFilterProps {
  readonly conditions: readonly string[]
  readonly saved: SavedFilters
  readonly onDismiss: () => void
}

/** Names the current filter. */
export function SaveFilter({ conditions, saved, onDismiss }: SaveFilterProps) {
  const t = useMessages(messages)
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isKnown = saved.filters.some((filter) => filter.name === name)
  return (
    <FormModal
      title={t.saveFilter}
      action={t.save}
      isReady={name !== ''}
      onSubmit={async () => saved.save({ name, conditions })}
      onDismiss={onDismiss}
    >
      <FormField label={t.filterName} description={t.filterHelp} warningText={isKnown ? t.filterReplaced(name) : ''}>
        <Input value={typed} onChange={({ detail }) => setTyped(detail.value)} />
      </FormField>
    </FormModal>
  )
}
