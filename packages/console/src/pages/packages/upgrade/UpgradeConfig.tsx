import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import type { Problems } from '../../../features/config-form/config-problems.ts'
import type { JsonSchema } from '../../../features/config-form/json-schema.ts'
import { ObjectFields } from '../../../features/config-form/ObjectFields.tsx'
import { SchemaField } from '../../../features/config-form/SchemaField.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages as installMessages } from '../install/messages.ts'
import { messages } from './messages.ts'
import { initialText, initialValue, isReadable, type UpgradeForm } from './upgrade-form.ts'

interface UpgradeConfigProps {
  readonly form: UpgradeForm
  readonly schema: JsonSchema | undefined
  /** The configuration of the installed version without secrets; undefined for those who may not read it. */
  readonly kept: unknown
  readonly problems: Problems
  readonly serverErrors: ReadonlyMap<string, string>
  readonly onChange: (change: Partial<UpgradeForm>) => void
}

/** The configuration of the new version, in the form of its schema or as JSON. */
export function UpgradeConfig({ form, schema, kept, problems, serverErrors, onChange }: UpgradeConfigProps) {
  const t = useMessages(messages)
  const install = useMessages(installMessages)
  const text = form.text ?? initialText(kept)
  return (
    <SpaceBetween size="l">
      <Box color="text-body-secondary">{kept ? t.prefilled : t.notPrefilled}</Box>
      {schema ? (
        <ObjectFields
          Field={SchemaField}
          schema={schema}
          path=""
          value={form.value ?? initialValue(schema, kept)}
          form={{ root: schema, problems, serverErrors }}
          onChange={(value) => onChange({ value })}
        />
      ) : (
        <FormField
          label={install.config}
          description={install.configHelp}
          errorText={isReadable(text) ? '' : install.notJson}
          stretch
        >
          <Textarea
            value={text}
            rows={10}
            spellcheck={false}
            placeholder="{}"
            onChange={({ detail }) => onChange({ text: detail.value })}
          />
        </FormField>
      )}
    </SpaceBetween>
  )
}
