import Spinner from '@cloudscape-design/components/spinner'
import { getSoftwarePackageConfigSchema, querySystemTag } from '@wharf/contract'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { parseObject } from '../../../features/config-form/json-schema.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { PackageRecord } from '../package-record.ts'
import { configSchemaOf } from './config-schema.ts'
import { InstallByForm } from './InstallByForm.tsx'
import { InstallByText } from './InstallByText.tsx'
import { messages } from './messages.ts'

interface InstallDialogProps {
  readonly record: PackageRecord
  readonly onDismiss: () => void
}

/** A form generated from the schema of the package, or a JSON text field without one. */
export function InstallDialog({ record, onDismiss }: InstallDialogProps) {
  const t = useMessages(messages)
  const { config, isPending, error: configError } = usePreviousConfig(record.uuid)
  const schemaQuery = useApiQuery(getSoftwarePackageConfigSchema, { uuid: record.uuid })
  if (isPending || schemaQuery.isPending) return <Spinner />
  const schema = configSchemaOf(record.type, schemaQuery.data?.configSchema, t.vm)
  const error = schemaQuery.error ?? configError
  const notice = error ? <ErrorAlert error={error} header={t.noSchema} /> : null
  const common = { record, previous: config, notice, onDismiss }
  return schema ? <InstallByForm {...common} schema={schema} /> : <InstallByText {...common} />
}

/** The configuration of the last installation, without secrets. */
function usePreviousConfig(packageUuid: string) {
  const { data, isPending, error } = useApiQuery(querySystemTag, {
    q: [`resourceUuid=${packageUuid}`, 'tag~=installConfig::%'],
    fields: ['tag'],
  })
  const tag = data?.inventories?.[0]?.tag?.slice('installConfig::'.length)
  return { config: parseObject(String(parseObject(tag)?.config ?? '')), isPending, error }
}
