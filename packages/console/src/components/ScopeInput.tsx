import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { useOptionalLabel } from './use-optional-label.ts'

interface ScopeInputProps {
  /** One condition per line. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The labels that limit a user or an access key to hosts. */
export function ScopeInput({ value, onChange }: ScopeInputProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  return (
    <FormField label={optional(t.scope)} description={t.scopeHelp} stretch>
      <Textarea
        value={value}
        rows={2}
        spellcheck={false}
        placeholder="labels.team=web"
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  )
}
