import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

/** A new password, entered twice; undefined until both match. */
export function NewPassword({ label, onChange }: { label: string; onChange: (password: string | undefined) => void }) {
  const t = useMessages(messages)
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const typed = (one: string, other: string): void => {
    setFirst(one)
    setSecond(other)
    onChange(one !== '' && one === other ? one : undefined)
  }
  return (
    <SpaceBetween size="m">
      <FormField label={label} constraintText={t.passwordRule}>
        <Input
          value={first}
          type="password"
          autoComplete="new-password"
          onChange={({ detail }) => typed(detail.value, second)}
        />
      </FormField>
      <FormField label={t.confirmPassword} errorText={second !== '' && first !== second ? t.passwordsDiffer : null}>
        <Input
          value={second}
          type="password"
          autoComplete="new-password"
          onChange={({ detail }) => typed(first, detail.value)}
        />
      </FormField>
    </SpaceBetween>
  )
}
