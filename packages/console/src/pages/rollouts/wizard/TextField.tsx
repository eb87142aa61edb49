import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { RolloutForm } from './rollout-form.ts'
import type { StepProps } from './step-props.ts'

type TextFieldName = {
  [field in keyof RolloutForm]: RolloutForm[field] extends string ? field : never
}[keyof RolloutForm]

interface TextFieldProps extends StepProps {
  readonly field: TextFieldName
  readonly label: string
  readonly hint?: string
  readonly example?: string
  readonly isNumber?: boolean
  readonly isOptional?: boolean
}

/** Validated on each keystroke, but not before the first. */
export function TextField(props: TextFieldProps) {
  const { form, problems, showProblems, onChange, field, label, hint, example = '', isNumber, isOptional } = props
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const value = form[field]
  const problem = problems[field]
  const isShown = problem !== undefined && (showProblems || value !== '')
  return (
    <FormField
      label={isOptional ? optional(label) : label}
      constraintText={hint}
      errorText={isShown ? t.problems[problem] : ''}
    >
      <Input
        value={value}
        placeholder={example}
        spellcheck={false}
        autoComplete={false}
        {...(isNumber && { type: 'number', inputMode: 'numeric' })}
        onChange={({ detail }) => onChange({ [field]: detail.value })}
      />
    </FormField>
  )
}
