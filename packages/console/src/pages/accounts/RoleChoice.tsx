import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { type Role, roles } from '@wharf/contract'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function RoleChoice({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const t = useMessages(messages)
  return (
    <FormField label={t.role}>
      <RadioGroup
        value={role}
        items={roles.map((value) => ({ value, label: value, description: t.roles[value] }))}
        onChange={({ detail }) => onChange(detail.value as Role)}
      />
    </FormField>
  )
}
