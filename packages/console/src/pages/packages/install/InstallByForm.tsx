import Box from '@cloudscape-design/components/box'
import { WharfError } from '@wharf/sdk'
import { type ReactNode, useMemo, useState } from 'react'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { problemsOf, serverProblems } from '../../../features/config-form/config-problems.ts'
import { sentValue, startValue, withoutSecrets } from '../../../features/config-form/config-value.ts'
import { hasSecrets, isObject, type JsonObject, type JsonSchema } from '../../../features/config-form/json-schema.ts'
import { ObjectFields } from '../../../features/config-form/ObjectFields.tsx'
import { SchemaField } from '../../../features/config-form/SchemaField.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { PackageRecord } from '../package-record.ts'
import { hostField } from './config-schema.ts'
import { HostSelect } from './HostSelect.tsx'
import { InstallModal } from './InstallModal.tsx'
import { messages } from './messages.ts'

interface InstallByFormProps {
  readonly record: PackageRecord
  readonly schema: JsonSchema
  readonly previous: JsonObject | undefined
  /** Shown above the fields. */
  readonly notice: ReactNode
  readonly onDismiss: () => void
}

const controls = {
  [hostField]: (value: unknown, onChange: (value: unknown) => void) => (
    <HostSelect value={String(value ?? '')} onChange={onChange} />
  ),
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

export function InstallByForm({ record, schema, previous, notice, onDismiss }: InstallByFormProps) {
  const t = useMessages(messages)
  const formSchema = useMemo(
    () => withHost(schema, record.hostUuid === null, t.host),
    [schema, record.hostUuid, t.host],
  )
  const initial: { config: unknown } = useMemo(
    () => ({ config: { ...(startValue(formSchema, formSchema) as JsonObject), ...previous } }),
    [formSchema, previous],
  )
  const draft = useFormDraft(`install ${record.uuid}`, initial, { isStored: !hasSecrets(formSchema) })
  const value = draft.form.config
  const [showProblems, setShowProblems] = useState(false)
  const [serverErrors, setServerErrors] = useState<ReadonlyMap<string, string>>(nothing)
  const sent = sentValue(value, formSchema, formSchema)
  const problems = problemsOf(sent, formSchema)
  const configOf = () => {
    setShowProblems(true)
    return problems.size === 0 ? { config: JSON.stringify(sent) } : undefined
  }
  return (
    <InstallModal
      record={record}
      draft={draft}
      configOf={configOf}
      shownConfig={JSON.stringify(withoutSecrets(sent, formSchema, formSchema))}
      onRefused={(error) => setServerErrors(error instanceof WharfError ? serverProblems(error.details) : nothing)}
      onDismiss={onDismiss}
    >
      {notice}
      {previous ? <Box color="text-body-secondary">{t.prefilled}</Box> : null}
      <ObjectFields
        Field={SchemaField}
        schema={formSchema}
        path=""
        value={value}
        form={{ root: formSchema, problems: showProblems ? problems : nothing, serverErrors, controls }}
        onChange={(next) => {
          setServerErrors(nothing)
          draft.setForm({ config: next })
        }}
      />
    </InstallModal>
  )
}

/** A package on backup storage needs a host; one on a host does not. */
function withHost(schema: JsonSchema, isOnStorage: boolean, title: string): JsonSchema {
  const { [hostField]: known, ...others } = isObject(schema.properties) ? schema.properties : {}
  if (!isOnStorage) return { ...schema, properties: others }
  const required = Array.isArray(schema.required) ? schema.required : []
  const host = { title, ...(isObject(known) ? known : { type: 'string' }) }
  const properties = { [hostField]: host, ...others }
  return { ...schema, properties, required: [...new Set([...required, hostField])] }
}
