import type { ReactNode } from 'react'
import type { Problems } from './config-problems.ts'
import type { JsonSchema, Property } from './json-schema.ts'

/** The state that all fields share. */
export interface FormState {
  readonly root: JsonSchema
  readonly problems: Problems
  /** The errors of the server by field. */
  readonly serverErrors: ReadonlyMap<string, string>
  /** Instead of the usual control of a field. */
  readonly controls?: Readonly<Record<string, (value: unknown, onChange: (value: unknown) => void) => ReactNode>>
}

export interface SchemaFieldProps {
  readonly property: Property
  readonly path: string
  readonly value: unknown
  readonly form: FormState
  readonly onChange: (value: unknown) => void
}

export type FieldComponent = (props: SchemaFieldProps) => ReactNode
