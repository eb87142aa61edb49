import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { focusInModal } from '../browser/focus-in-modal.ts'

interface PasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (password: string) => void
}

/** A password that the user has, in a dialog. */
export const PasswordField = ({ label, value, onChange }: PasswordFieldProps) => (
  <FormField label={label}>
    <Input
      ref={focusInModal}
      value={value}
      type="password"
      autoComplete="current-password"
      onChange={({ detail }) => onChange(detail.value)}
    />
  </FormField>
)
