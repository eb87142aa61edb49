import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export type DeleteMode = 'Permissive' | 'Enforcing'

interface DeleteModeChoiceProps {
  readonly deleteMode: DeleteMode
  readonly onChange: (deleteMode: DeleteMode) => void
}

/** What happens to a virtual machine whose host is unreachable. */
export function DeleteModeChoice({ deleteMode, onChange }: DeleteModeChoiceProps) {
  const t = useMessages(messages)
  return (
    <FormField label={t.deleteMode}>
      <RadioGroup
        value={deleteMode}
        onChange={({ detail }) => onChange(detail.value === 'Enforcing' ? 'Enforcing' : 'Permissive')}
        items={[
          { value: 'Permissive', label: t.permissive, description: t.permissiveHelp },
          { value: 'Enforcing', label: t.enforcing, description: t.enforcingHelp },
        ]}
      />
    </FormField>
  )
}
