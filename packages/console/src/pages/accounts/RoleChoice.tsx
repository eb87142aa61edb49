import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { type Role, roles } from '@wharf/contract'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

export function RoleChoice({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const say = useWords(words)
  return (
    <FormField label={say.role}>
      <RadioGroup
        value={role}
        items={roles.map((value) => ({ value, label: value, description: say.roles[value] }))}
        onChange={({ detail }) => onChange(detail.value as Role)}
      />
    </FormField>
  )
}
