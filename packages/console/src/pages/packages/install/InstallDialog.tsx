import Spinner from '@cloudscape-design/components/spinner'
import { getSoftwarePackageConfigSchema } from '@wharf/contract'
import { useAnswer } from '../../../wharf/answers.ts'
import type { PackageRecord } from '../PackageDetail.tsx'
import { configSchemaOf } from './config-schema.ts'
import { useEarlierConfig } from './earlier-config.ts'
import { InstallByForm } from './InstallByForm.tsx'
import { InstallByText } from './InstallByText.tsx'

interface InstallDialogProps {
  readonly record: PackageRecord
  readonly onDismiss: () => void
}

/** A form made from the schema of the package, or a text where it has told none. */
export function InstallDialog({ record, onDismiss }: InstallDialogProps) {
  const { config, isPending } = useEarlierConfig(record.uuid)
  const told = useAnswer(getSoftwarePackageConfigSchema, { uuid: record.uuid })
  const schema = configSchemaOf(record.type, told.data?.configSchema)
  if (isPending || told.isPending) return <Spinner />
  return schema ? (
    <InstallByForm record={record} schema={schema} earlier={config} onDismiss={onDismiss} />
  ) : (
    <InstallByText record={record} earlier={config} onDismiss={onDismiss} />
  )
}
