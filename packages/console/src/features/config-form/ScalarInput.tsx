import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import Textarea from '@cloudscape-design/components/textarea'
import Toggle from '@cloudscape-design/components/toggle'
import { useMessages } from '../../i18n/use-messages.ts'
import { numberIn } from './config-value.ts'
import type { JsonSchema, Kind } from './json-schema.ts'
import { messages } from './messages.ts'

interface ScalarInputProps {
  readonly kind: Kind
  readonly schema: JsonSchema
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** A longer text gets a textarea. */
const lineLength = 255

export function ScalarInput({ kind, schema, value, onChange }: ScalarInputProps) {
  const t = useMessages(messages)
  const text = value === undefined ? '' : String(value)
  const placeholder = Array.isArray(schema.examples) ? String(schema.examples[0]) : ''
  if (kind === 'boolean')
    return (
      <Toggle checked={value === true} onChange={({ detail }) => onChange(detail.checked)}>
        {t.yes}
      </Toggle>
    )
  if (kind === 'choice') {
    const values = schema.enum as readonly unknown[]
    const options = values.map((one, index) => ({ value: String(index), label: String(one) }))
    const none = { value: '', label: t.noChoice }
    return (
      <Select
        options={[none, ...options]}
        placeholder={t.choose}
        selectedOption={options[values.indexOf(value)] ?? none}
        onChange={({ detail }) => onChange(values[Number(detail.selectedOption.value || -1)])}
      />
    )
  }
  if (kind === 'number' || kind === 'integer')
    return (
      <Input
        type="number"
        inputMode={kind === 'integer' ? 'numeric' : 'decimal'}
        step={kind === 'integer' ? 1 : 'any'}
        value={text}
        placeholder={placeholder}
        onChange={({ detail }) => onChange(numberIn(detail.value))}
      />
    )
  const isSecret = schema.writeOnly === true || schema.format === 'password'
  if (
    !isSecret &&
    typeof schema.maxLength === 'number' &&
    schema.maxLength > lineLength &&
    schema.pattern === undefined
  )
    return (
      <Textarea
        value={text}
        rows={3}
        placeholder={placeholder}
        onChange={({ detail }) => onChange(detail.value || undefined)}
      />
    )
  return (
    <Input
      type={isSecret ? 'password' : 'text'}
      autoComplete={false}
      value={text}
      placeholder={placeholder}
      onChange={({ detail }) => onChange(detail.value || undefined)}
    />
  )
}
