import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import { isType } from '../../../features/uploads/drafts.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { useUploadSuggestions } from './use-destinations.ts'

interface TypeInputProps {
  readonly value: string
  readonly label: string
  readonly showProblem: boolean
  readonly onChange: (type: string) => void
}

/** A package type, with recent types as suggestions. */
export function TypeInput({ value, label, showProblem, onChange }: TypeInputProps) {
  const t = useMessages(messages)
  const { types } = useUploadSuggestions()
  const problem = value === '' ? t.missing.type : isType(value) ? '' : t.badType
  return (
    <FormField label={label} errorText={showProblem || value !== '' ? problem : ''} stretch>
      <Autosuggest
        value={value}
        options={types.map((type) => ({ value: type }))}
        enteredTextLabel={(text) => `${t.suggestions} ${text}`}
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  )
}
