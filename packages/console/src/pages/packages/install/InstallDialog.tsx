import Spinner from '@cloudscape-design/components/spinner'
import { getSoftwarePackageConfigSchema } from '@wharf/contract'
import { Failure } from '../../../parts/Failure.tsx'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import type { PackageRecord } from '../package-record.ts'
import { configSchemaOf } from './config-schema.ts'
import { useEarlierConfig } from './earlier-config.ts'
import { InstallByForm } from './InstallByForm.tsx'
import { InstallByText } from './InstallByText.tsx'
import { words } from './words.ts'

interface InstallDialogProps {
  readonly record: PackageRecord
  readonly onDismiss: () => void
}

/** A form made from the schema of the package, or a text where it has told none. */
export function InstallDialog({ record, onDismiss }: InstallDialogProps) {
  const say = useWords(words)
  const { config, isPending, error: unread } = useEarlierConfig(record.uuid)
  const told = useAnswer(getSoftwarePackageConfigSchema, { uuid: record.uuid })
  if (isPending || told.isPending) return <Spinner />
  const schema = configSchemaOf(record.type, told.data?.configSchema, say.vm)
  const error = told.error ?? unread
  const notice = error ? <Failure error={error} header={say.noSchema} /> : null
  const common = { record, earlier: config, notice, onDismiss }
  return schema ? <InstallByForm {...common} schema={schema} /> : <InstallByText {...common} />
}
