import Autosuggest from '@cloudscape-design/components/autosuggest'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { ClusterForm } from './cluster-form.ts'
import type { Problems } from './form-problems.ts'
import { messages } from './messages.ts'

export interface StepProps {
  readonly form: ClusterForm
  readonly problems: Problems
  /** Marks empty required fields too, after an attempt to continue. */
  readonly showProblems: boolean
  readonly onChange: (change: Partial<ClusterForm>) => void
}

interface FieldProps extends StepProps {
  readonly field: keyof ClusterForm
  readonly label: string
  readonly hint?: string
  readonly example?: string
  readonly type?: 'password'
  readonly isOptional?: boolean
  readonly isLong?: boolean
  /** Suggestions; any other text is accepted. */
  readonly options?: readonly { value: string; description: string }[]
}

/** Validated on each keystroke, but not before the first. */
export function Field(props: FieldProps) {
  const { form, problems, showProblems, onChange, field, label, hint, example = '', type, isOptional, isLong } = props
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const value = form[field]
  const problem = problems[field]
  const isShown = problem !== undefined && (showProblems || value !== '')
  const own = {
    value,
    placeholder: example,
    onChange: ({ detail }: { detail: { value: string } }) => onChange({ [field]: detail.value }),
  }
  return (
    <FormField
      label={isOptional ? optional(label) : label}
      constraintText={hint}
      errorText={isShown ? t.problems[problem.kind](problem.value) : undefined}
      stretch={isLong ?? false}
    >
      {props.options ? (
        <Autosuggest {...own} options={props.options} enteredTextLabel={(text) => text} hideEnteredTextOption />
      ) : isLong ? (
        <Textarea {...own} rows={3} spellcheck={false} />
      ) : (
        <Input
          {...own}
          type={type ?? 'text'}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          spellcheck={false}
        />
      )}
    </FormField>
  )
}
