import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { focusInModal } from '../../browser/focus-in-modal.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** The current password, in a dialog. */
export function PasswordField({ value, onChange }: { value: string; onChange: (password: string) => void }) {
  const t = useMessages(messages)
  return (
    <FormField label={t.currentPassword}>
      <Input
        ref={focusInModal}
        value={value}
        type="password"
        autoComplete="current-password"
        onChange={({ detail }) => onChange(detail.value)}
      />
    </FormField>
  )
}
