import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { type ReactNode, useState } from 'react'
import { useOptionalLabel } from '../../components/use-optional-label.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { ArrayField } from './ArrayField.tsx'
import { kindOf } from './json-schema.ts'
import { messages } from './messages.ts'
import { ObjectFields } from './ObjectFields.tsx'
import { ScalarInput } from './ScalarInput.tsx'
import type { SchemaFieldProps } from './schema-field-props.ts'
import { jsonIn, UnreadableJson, writtenJson } from './unreadable-json.ts'

/** The form field of a property, with its description and error. */
export function SchemaField({ property, path, value, form, onChange }: SchemaFieldProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { name, schema, isRequired } = property
  const kind = kindOf(schema)
  // invalid JSON is reported immediately, a missing value after an attempt to submit
  const problem = form.problems.get(path) ?? (value instanceof UnreadableJson ? { rule: 'json' as const } : undefined)
  const errorText = problem
    ? t.rules[problem.rule](problem.limit === undefined ? '' : String(problem.limit))
    : form.serverErrors.get(path)
  const title = typeof schema.title === 'string' ? schema.title : name
  const label = isRequired ? title : optional(title)
  return (
    <FormField
      label={label}
      description={typeof schema.description === 'string' ? schema.description : ''}
      errorText={errorText ?? ''}
      stretch
    >
      {control()}
    </FormField>
  )

  function control(): ReactNode {
    const own = form.controls?.[path]
    if (own) return own(value, onChange)
    if (kind === 'object')
      return (
        <ObjectFields schema={schema} path={path} value={value} form={form} onChange={onChange} Field={SchemaField} />
      )
    if (kind === 'array')
      return (
        <ArrayField schema={schema} path={path} value={value} form={form} onChange={onChange} Field={SchemaField} />
      )
    if (kind === 'json') return <JsonField value={value} onChange={onChange} />
    return <ScalarInput kind={kind} schema={schema} value={value} onChange={onChange} />
  }
}

/** Edits a value as JSON. */
function JsonField({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(() => writtenJson(value))
  return (
    <Textarea
      value={text}
      rows={4}
      spellcheck={false}
      onChange={({ detail }) => {
        setText(detail.value)
        onChange(jsonIn(detail.value))
      }}
    />
  )
}
