import FormField from '@cloudscape-design/components/form-field'
import { ModalInput } from './ModalInput.tsx'

interface PasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (password: string) => void
}

/** A password that the user has, in a dialog. */
export const PasswordField = ({ label, value, onChange }: PasswordFieldProps) => (
  <FormField label={label}>
    <ModalInput
      value={value}
      type="password"
      autoComplete="current-password"
      onChange={({ detail }) => onChange(detail.value)}
    />
  </FormField>
)
