import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useMessages } from '../../i18n/use-messages.ts'
import { startValue } from './config-value.ts'
import { type JsonSchema, resolved } from './json-schema.ts'
import { messages } from './messages.ts'
import type { FieldComponent, FormState } from './schema-field-props.ts'

interface ArrayFieldProps {
  readonly schema: JsonSchema
  readonly path: string
  readonly value: unknown
  readonly form: FormState
  readonly onChange: (value: unknown) => void
  /** Renders nested fields; passed as a prop to avoid a circular import. */
  readonly Field: FieldComponent
}

export function ArrayField({ schema, path, value, form, onChange, Field }: ArrayFieldProps) {
  const t = useMessages(messages)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const inner = resolved(schema.items, form.root)
  const change = (next: readonly unknown[]): void => onChange(next.length === 0 ? undefined : next)
  return (
    <SpaceBetween size="s">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is all that an entry of a list is known by
        <SpaceBetween key={index} size="xs">
          <Field
            property={{ name: t.item(index + 1), schema: inner, isRequired: true }}
            path={`${path}.${index}`}
            value={item}
            form={form}
            onChange={(next) => change(items.with(index, next ?? ''))}
          />
          <Button
            iconName="remove"
            formAction="none"
            ariaLabel={t.removeItem(index + 1)}
            onClick={() => change(items.toSpliced(index, 1))}
          >
            {t.removeItem(index + 1)}
          </Button>
        </SpaceBetween>
      ))}
      <Button
        iconName="add-plus"
        formAction="none"
        onClick={() => change([...items, startValue(inner, form.root) ?? ''])}
      >
        {t.addItem}
      </Button>
    </SpaceBetween>
  )
}
