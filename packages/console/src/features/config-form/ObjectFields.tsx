import SpaceBetween from '@cloudscape-design/components/space-between'
import { withProperty } from './config-value.ts'
import './config-form.css'
import { isObject, type JsonSchema, propertiesOf } from './json-schema.ts'
import type { FieldComponent, FormState } from './schema-field-props.ts'

interface ObjectFieldsProps {
  readonly schema: JsonSchema
  readonly path: string
  readonly value: unknown
  readonly form: FormState
  readonly onChange: (value: unknown) => void
  /** Renders nested fields; passed as a prop to avoid a circular import. */
  readonly Field: FieldComponent
}

export function ObjectFields({ schema, path, value, form, onChange, Field }: ObjectFieldsProps) {
  const fields = isObject(value) ? value : {}
  return (
    <div className={path === '' ? undefined : 'inner-fields'}>
      <SpaceBetween size="m">
        {propertiesOf(schema, form.root).map((property) => (
          <Field
            key={property.name}
            property={property}
            path={path === '' ? property.name : `${path}.${property.name}`}
            value={fields[property.name]}
            form={form}
            onChange={(next) => onChange(withProperty(value, property.name, next))}
          />
        ))}
      </SpaceBetween>
    </div>
  )
}
